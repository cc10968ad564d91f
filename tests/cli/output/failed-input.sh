# An input without result leaves no file behind; the others are complete.
cp "$DATA/go126-user.trace" a.trace
echo letter >b.trace
tracepipe --sink text -o out a.trace b.trace missing.trace || echo $?
find out | sort
