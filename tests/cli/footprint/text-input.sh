# The shares are those of the encoded bytes.
cp "$DATA/go125-cpu.trace" a.trace
tracepipe --sink text -o a.txt a.trace
tracepipe --sink raw -o b.trace a.txt
tracepipe --sink footprint a.txt | cmp - <(tracepipe --sink footprint b.trace)
