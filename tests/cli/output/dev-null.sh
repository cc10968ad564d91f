# A device is written in place, never renamed, and needs no -f.
cp "$DATA/go126-user.trace" a.trace
tracepipe --sink text -o /dev/null a.trace a.trace
[ -c /dev/null ]
