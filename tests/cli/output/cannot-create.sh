cp "$DATA/go126-user.trace" a.trace
tracepipe --sink text -o a.trace/out.txt a.trace
