# A folder needs -r; the other inputs are still read.
mkdir folder
cp "$DATA/go126-user.trace" a.trace
tracepipe --sink text folder a.trace >got || echo $?
tracepipe --sink text a.trace | cmp - got
tracepipe --sink text folder
