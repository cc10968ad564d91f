# Sinks that take any bytes and sinks that do not, over one read of inputs that
# are no trace: each does what it does alone.
{ printf 'go 1.11 trace\0\0\0' && head -c 5000 /dev/zero; } >old.trace
echo letter >letter.txt
head -c 300000 /dev/zero | tr '\0' '\1' >ones.bin
cp "$DATA/go126-user.trace" good.trace
tracepipe --sink text -o text --sink footprint -o footprint --sink raw -o raw --sink zstd -o zstd \
    --sink stats -o stats.txt --sink null -o null.txt \
    old.trace letter.txt ones.bin good.trace missing.trace || echo $?
find text footprint raw zstd | sort
for name in old.trace letter.txt ones.bin good.trace; do
    cmp raw/$name.raw $name
    zstd -qdc zstd/$name.zst | cmp - $name
done
