cp "$DATA/go125-cpu.trace" a.trace
tracepipe --sink text -o a.txt a.trace
tracepipe --sink footprint a.txt | cmp - <(tracepipe --sink footprint a.trace)
