# Text to binary to text is the identity.
cp "$DATA/go125-cpu.trace" a.trace
tracepipe --sink text -o a.txt a.trace
tracepipe --sink raw -o b.trace a.txt
tracepipe --sink text b.trace | cmp - a.txt
tracepipe --sink text a.txt | cmp - a.txt
