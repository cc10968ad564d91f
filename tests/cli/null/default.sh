cp "$DATA/go126-user.trace" a.trace
tracepipe --sink null a.trace | grep -c .
