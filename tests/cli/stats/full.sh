# Where the time went, for people.
tracepipe --sink stats:level=full,top=2 "$DATA/go126-user.trace"
