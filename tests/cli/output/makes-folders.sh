cp "$DATA/go126-user.trace" a.trace
tracepipe --sink text -o deep/er/a.txt a.trace
find deep | sort
