cp "$DATA/go126-user.trace" a.trace
for level in 1 3 9 19; do
    tracepipe --sink zstd:level=$level a.trace | zstd -qdc | cmp - a.trace
done
tracepipe --sink zstd a.trace | cmp - <(tracepipe --sink zstd:level=3 a.trace)
