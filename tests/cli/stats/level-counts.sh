# The name of today's level, which stays when others come.
cp "$DATA/go126-user.trace" a.trace
tracepipe --sink stats:level=counts a.trace | cmp - <(tracepipe a.trace)
