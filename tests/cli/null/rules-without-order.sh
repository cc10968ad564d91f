tracepipe --sink null:rules=yes "$DATA/go126-user.trace"
