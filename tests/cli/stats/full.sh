# Where the time went, for people.
cd "$DATA"
tracepipe --sink stats:level=full,top=2 go126-user.trace
