# The size of reads is not seen in the result.
cp "$DATA/go126-user.trace" a.trace
tracepipe --sink text a.trace >wanted
for size in 4K 4096 64KiB 1M 4M 4MiB; do
    tracepipe --chunk-size $size --sink text a.trace | cmp - wanted
done
