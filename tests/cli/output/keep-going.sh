# An output that cannot be written costs its input; with --fail-fast the first one ends the run.
mkdir -p in out/a.trace.zst text
cp "$DATA"/go126-user.trace in/a.trace
cp "$DATA"/go125-http.trace in/b.trace
head -c 5000 in/a.trace >in/c.trace
tracepipe --manifest manifest --sink zstd -o out --sink text -o text -r in || echo $?
ls out text
grep -o '"status": "[a-z]*"' manifest
rm -r text
for jobs in 1 8; do
    tracepipe -j $jobs --fail-fast --sink text -o text --sink stats -o stats in/c.trace in/b.trace || echo $?
    test ! -e stats
    rm -rf text
done
tracepipe --fail-fast --sink text -o text in/b.trace in/a.trace
# What is read back is what was written.
tracepipe --read-back --sink zstd -o back --sink stats -o stats in/a.trace in/b.trace
zstd -dqc back/b.trace.zst | cmp - in/b.trace
