# The manifest, of which no part varies.
cp "$DATA/go122-chan.trace" a.trace
gzip -nc a.trace >b.trace.gz
head -c 5000 "$DATA/go126-user.trace" >cut.trace
tracepipe --manifest run.json --sink text -o out a.trace b.trace.gz cut.trace missing.trace || echo $?
cat run.json
