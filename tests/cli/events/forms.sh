# The same events whether the trace is binary, text or compressed.
cp "$DATA/go125-cpu.trace" a.trace
tracepipe --sink events -o want a.trace
tracepipe --sink text -o a.txt a.trace
gzip -nk a.trace
zstd -q a.trace
for name in a.txt a.trace.gz a.trace.zst -; do
    tracepipe --sink events $name <a.trace | cmp - want
done
