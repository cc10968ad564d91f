cp "$DATA/go126-user.trace" a.trace
tracepipe --sink text -o out --sink footprint -o out a.trace || echo $?
ls -A
