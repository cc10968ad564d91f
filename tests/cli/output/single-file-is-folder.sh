# One input and an existing folder.
cp "$DATA/go126-user.trace" a.trace
mkdir out
tracepipe --sink text -o out a.trace || echo $?
find out | sort
