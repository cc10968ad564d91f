# -o belongs to the sink before it.
cp "$DATA/go126-user.trace" a.trace
tracepipe --sink text -o a.txt a.trace
ls -A
tracepipe --sink text a.trace | cmp - a.txt
