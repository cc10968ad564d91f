# A record has the inputs that are done: a later run does the others, and replaces outputs that are its own.
mkdir in
cp -p "$DATA"/go126-user.trace "$DATA"/go125-http.trace in
cp -p "$DATA"/go126-held-lock.trace late
touch -d 2026-01-01 in/* late
# kinds: the lines of the record, without what varies from run to run.
kinds() {
    sed -E 's/"options": "[0-9a-f]+"/"options": X/; s/"seconds": [0-9.]+/"seconds": X/; s/"stored_bytes.*"outputs"/... "outputs"/' record | sort
    rm record
}
tracepipe --resume record --sink zstd -o out -r in
tracepipe --resume record --sink zstd -o out -r in
mv late in/late.trace
tracepipe -v --resume record --sink zstd -o out -r in 2>&1 | grep 'not read'
ls out
# An input that has changed is read again, and its output replaced. A file of somebody else is not.
cp "$DATA"/go126-iter.trace in/go125-http.trace
tracepipe --resume record --sink zstd -o out -r in
zstd -dqc out/go125-http.trace.zst | cmp - "$DATA"/go126-iter.trace
echo changed >>out/go125-http.trace.zst
touch in/go125-http.trace
tracepipe --resume record --sink zstd -o out -r in || echo "not its own: $?"
tracepipe -f --resume record --sink zstd -o out -r in
# With --rehash only other bytes are another input.
touch in/go125-http.trace
tracepipe -v --rehash --resume record --sink zstd -o out -r in 2>&1 | grep 'not read'
# Other options are another job.
tracepipe -v --resume record --sink zstd:level=1 -o out -r in 2>&1 | grep -c complete
tracepipe --verify record
rm record
# What could not be read is tried again, and the status is that of all inputs, whenever they were read.
rm -r out
head -c 5000 "$DATA"/go126-user.trace >in/cut.trace
echo text >in/none
touch -d 2026-01-01 in/*
for i in 1 2; do
    tracepipe --resume record --sink zstd -o out -r in/cut.trace in/none || echo $?
done
kinds
