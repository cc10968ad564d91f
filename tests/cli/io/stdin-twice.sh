tracepipe --sink text - - <"$DATA/go126-user.trace"
