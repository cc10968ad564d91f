cp "$DATA/go126-user.trace" a.trace
tracepipe --sink footprint a.trace
