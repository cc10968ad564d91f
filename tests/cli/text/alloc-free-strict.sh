# The reference reader refuses them before 1.26.
for version in 23 26; do
    "$SYNTH" --seed 9 --version $version --alloc-free 1 --generations 1 --gen-events 300 >a.trace
    tracepipe --strict --sink text a.trace >a.txt || echo "$version: $?"
done
