cp "$DATA/go126-user.trace" a.trace
echo precious >a.txt
tracepipe -f --sink text -o a.txt a.trace
tracepipe --sink text a.trace | cmp - a.txt
ls -A
