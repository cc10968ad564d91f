tracepipe --sink stats:level=full,format=json "$DATA/go126-user.trace"
