# A FIFO is read like a file; it cannot seek.
cp "$DATA/go126-user.trace" a.trace
mkfifo pipe
cat a.trace >pipe &
tracepipe --sink text pipe >got
tracepipe --sink text a.trace | cmp - got
wait
