cp "$DATA/go126-user.trace" a.trace
tracepipe --sink text --sink footprint a.trace
