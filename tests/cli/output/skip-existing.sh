# Inputs whose outputs exist are not read, by name alone; what is missing is made, and nothing is replaced.
mkdir in
cp "$DATA"/go126-user.trace "$DATA"/go125-http.trace "$DATA"/go126-held-lock.trace in
tracepipe --skip-existing --sink zstd -o out -r in
ls out
: >out/go125-http.trace.zst
rm out/go126-user.trace.zst
tracepipe --skip-existing --sink zstd -o out -r in
wc -c <out/go125-http.trace.zst
zstd -dqc out/go126-user.trace.zst | cmp - in/go126-user.trace
# Nothing is left to do; the files are not even opened.
chmod 0 in/*.trace
tracepipe -v --skip-existing --sink zstd -o out -r in 2>&1 | grep 'not read'
chmod 600 in/*.trace
# One input and its output; an input that does not exist; several sinks.
tracepipe --skip-existing --sink zstd -o one.zst in/go126-user.trace
tracepipe --skip-existing --sink zstd -o one.zst in/go126-user.trace
tracepipe --skip-existing --sink zstd -o out missing.trace || echo "missing: $?"
tracepipe --skip-existing --sink zstd -o out --sink text -o text -r in || echo "text is missing: $?"
tracepipe -f --skip-existing --sink zstd -o out --sink text -o text -r in
ls text
# Only outputs of single inputs tell which inputs are done.
for sink in stats 'zstd -o -' null; do
    tracepipe --skip-existing --sink $sink in/go126-user.trace >/dev/null || echo "$sink: $?"
done
