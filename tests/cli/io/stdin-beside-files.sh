cp "$DATA/go122-chan.trace" a.trace
cp "$DATA/go126-user.trace" b.trace
cat b.trace | tracepipe --sink text a.trace - a.trace >got
tracepipe --sink text a.trace b.trace a.trace | cmp - got
