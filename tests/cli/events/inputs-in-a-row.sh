# To stdout: one after the other, in the order given; every one counts its Syncs anew.
cp "$DATA/go126-user.trace" "$DATA/go122-chan.trace" .
tracepipe --sink events go126-user.trace go122-chan.trace go126-user.trace >out
grep Sync out | sed 's/ Trace.*//'
