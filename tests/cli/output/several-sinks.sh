# Several sinks over one read; at most one writes stdout.
cp "$DATA/go126-user.trace" a.trace
tracepipe --sink text -o a.txt --sink raw -o a.raw --sink zstd -o a.zst --sink footprint -o a.fp \
    --sink stats a.trace >a.stats
ls -A
tracepipe --sink text a.trace | cmp - a.txt
tracepipe --sink footprint a.trace | cmp - a.fp
tracepipe --sink stats a.trace | cmp - a.stats
cmp a.raw a.trace
zstd -qdc a.zst | cmp - a.trace
