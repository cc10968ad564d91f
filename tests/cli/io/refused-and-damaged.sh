# No trace, compressed, and damaged at its end: the reason of the refusal is that it is no trace,
# however much is decompressed at once.
seq 4000 | gzip -n >numbers
head -c -8 numbers >damaged.gz
printf '12345678' >>damaged.gz
for size in 4K 16K 64K; do
    tracepipe --chunk-size $size --sink stats damaged.gz || echo "status $?"
done
tracepipe --sink list damaged.gz || echo "status $?"
