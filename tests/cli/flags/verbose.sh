# -v adds details; the result is the same.
cp "$DATA/go126-user.trace" a.trace
tracepipe -v --sink text a.trace 2>message >got
tracepipe --sink text a.trace | cmp - got
[ -s message ]
