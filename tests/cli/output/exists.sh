# What exists is left alone, and nothing is read.
cp "$DATA/go126-user.trace" a.trace
echo precious >a.txt
tracepipe --sink text -o a.txt a.trace || echo $?
cat a.txt
