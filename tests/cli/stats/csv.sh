cp "$DATA/go122-chan.trace" a.trace
cp "$DATA/go126-user.trace" b.trace
tracepipe --sink stats:level=counts,format=csv a.trace b.trace
