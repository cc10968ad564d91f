# Results of several inputs follow each other in the order of the command line.
cp "$DATA/go122-chan.trace" a.trace
cp "$DATA/go126-user.trace" b.trace
tracepipe --sink text b.trace a.trace >both
tracepipe --sink text a.trace >a
tracepipe --sink text b.trace >b
cat b a | cmp - both
