# Outputs of several files follow each other in a FIFO, in order of the inputs.
cp "$DATA/go122-chan.trace" a.trace
cp "$DATA/go126-user.trace" b.trace
mkfifo pipe
cat pipe >got &
tracepipe --sink text -o pipe b.trace a.trace
wait
tracepipe --sink text b.trace a.trace | cmp - got
[ -p pipe ]
