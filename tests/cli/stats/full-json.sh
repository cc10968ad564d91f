cd "$DATA"
tracepipe --sink stats:level=full,format=json go126-user.trace
