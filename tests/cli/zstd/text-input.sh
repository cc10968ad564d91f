cp "$DATA/go125-cpu.trace" a.trace
tracepipe --sink text -o a.txt a.trace
tracepipe --sink raw -o b.trace a.txt
tracepipe --sink zstd a.txt | zstd -qdc | cmp - b.trace
