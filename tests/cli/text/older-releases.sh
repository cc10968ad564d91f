# Headers of formats before Go 1.22, without a body.
for version in 1.5 1.9 1.21; do
    printf 'go %s trace' $version >go$version.trace
    truncate -s 16 go$version.trace
    tracepipe --sink text go$version.trace || echo $?
done
