# One table per file, one after the other.
cp "$DATA/go122-chan.trace" a.trace
cp "$DATA/go126-user.trace" b.trace
tracepipe --sink footprint a.trace b.trace >both
cat <(tracepipe --sink footprint a.trace) <(tracepipe --sink footprint b.trace) | cmp - both
