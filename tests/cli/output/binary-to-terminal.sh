# Binary output is not shown on a terminal.
cp "$DATA/go126-user.trace" a.trace
for sink in raw zstd; do
    script -qec "tracepipe --no-progress --sink $sink a.trace" /dev/null </dev/null | tr -d '\r' || echo $?
done
