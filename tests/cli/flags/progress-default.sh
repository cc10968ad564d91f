# Not on a terminal: no progress unless asked for.
cp "$DATA/go126-user.trace" a.trace
tracepipe --sink text -o a.txt a.trace
tracepipe --no-progress --sink text -o b.txt a.trace
