# One of many exists: nothing is written at all.
cp "$DATA/go126-user.trace" a.trace
cp "$DATA/go126-user.trace" b.trace
mkdir out
echo precious >out/b.trace.txt
tracepipe --sink text -o out a.trace b.trace || echo $?
ls -A out
cat out/b.trace.txt
tracepipe -f --sink text -o out a.trace b.trace
cmp out/a.trace.txt out/b.trace.txt
