# Names of files are anybody's bytes: no message lets them steer a terminal, turn the line
# around or begin another one, be it about an input, an output, an option or a program.
names=(
    $'esc\e[31m'
    $'c1\xc2\x9b31m'
    $'lone\x9b31m'
    $'turn\xe2\x80\xaetxt.exe'
    $'mark\xe2\x80\x8e\xd8\x9c\xe2\x81\xa6'
    $'line\xe2\x80\xa8\xe2\x80\xa9'
    $'feed\n'
    $'bad\xff\xc3'
    $'good \xc3\xa4\xe4\xb8\xad'
)
for name in "${names[@]}"; do
    tracepipe --sink text "$name" || true
    echo letter >"$name"
    tracepipe --sink text "$name" || true
    head -c 5000 "$DATA/go122-chan.trace" >"$name"
    tracepipe --sink text "$name" >/dev/null || true
    tracepipe -v --io pread --sink null:until=scan "$name" 2>&1 >/dev/null | grep -aF ' in 1 read' >&2 || true
    tracepipe --sink text "$DATA/go122-chan.trace" -o "$name" || true
    tracepipe "--$name" || true
    tracepipe --files-from "no-$name" || true
    tracepipe --sink "$name" || true
    tracepipe --binary "$name" "$DATA/go122-chan.trace" || true
    rm "$name"
done 2>said
# Nothing but the good name is left as it is.
LC_ALL=C tr -d '\n\40-\176' <said | od -An -tx1 | tr -d ' \n' | sed 's/\(c3a4e4b8ad\)*/raw bytes of other names: /' && echo
grep -av "^Try 'tracepipe" said
