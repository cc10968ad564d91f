# A pipe that gives a few bytes at a time: what the input is must not be decided
# from the first of them.
cp "$DATA/go126-user.trace" a.trace
tracepipe --sink text -o a.txt a.trace
gzip -nk a.trace
zstd -qk a.trace
dribble() {
    head -c 1 "$1" && sleep 0.1
    tail -c +2 "$1" | head -c 2 && sleep 0.1
    tail -c +4 "$1" | head -c 10 && sleep 0.1
    tail -c +14 "$1"
}
for name in a.trace a.trace.gz a.trace.zst a.txt; do
    dribble $name | tracepipe --sink text - | cmp - a.txt
done
