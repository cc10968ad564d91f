# Nobody misses stdout who does not write to it.
cp "$DATA/go126-user.trace" a.trace
tracepipe --sink text -o a.txt a.trace >&- || echo $?
ls -A
