# Messages come in the order of the inputs; a bad file never stops the others.
cp "$DATA/go126-user.trace" a.trace
head -c 5000 a.trace >b.trace
cp a.trace c.trace
echo letter >d.trace
tracepipe --sink text -o out a.trace b.trace c.trace d.trace missing.trace || echo $?
find out -type f | sort
cmp out/a.trace.txt out/c.trace.txt
