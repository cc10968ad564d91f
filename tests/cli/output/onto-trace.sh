# A trace is replaced by traces only, also with -f: compressed, old, or that of another run.
cp "$DATA/go126-user.trace" a.trace
cp "$DATA/go122-chan.trace" b.trace
gzip -nc b.trace >b.trace.gz
zstd -qc b.trace >b.trace.zst
cp "$DATA/v1/go111-gc.trace" old.trace
before=$(cksum ./*)
kept() {
    "$@" && exit 1
    [ $? = 3 ]
} 2>&1
for to in b.trace b.trace.gz b.trace.zst old.trace; do
    kept tracepipe -f --sink stats -o $to a.trace
done
kept tracepipe -f --sink text -o b.trace a.trace
kept tracepipe -f --sink stats:format=state -o b.trace a.trace
kept tracepipe -f --sink stats -o report --manifest b.trace a.trace
kept tracepipe --sink text -o b.trace a.trace
mkdir in out
cp a.trace in/one
cp a.trace in/two
cp b.trace out/two.txt
kept tracepipe -f -r --sink text -o out in
rm -r in out
[ "$(cksum ./*)" = "$before" ]
# Text is replaced, and so is a trace by one.
tracepipe --sink text -o b.txt b.trace
tracepipe -f --sink text -o b.txt a.trace
tracepipe -f --sink raw -o b.trace --sink zstd -o b.trace.zst a.trace
cmp b.trace a.trace
zstd -qdc b.trace.zst | cmp - a.trace
# A link is replaced itself.
ln -s a.trace link
tracepipe -f --sink stats -o link b.trace.gz
cmp a.trace "$DATA/go126-user.trace"
[ ! -L link ]
