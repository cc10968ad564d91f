# The main job: no sink named means stats, in full.
cd "$DATA"
tracepipe go126-user.trace | cmp - <(tracepipe --sink stats go126-user.trace)
tracepipe go126-user.trace | cmp - <(tracepipe --sink stats:level=full,format=text go126-user.trace)
tracepipe go126-user.trace | sed -n 1p
