# A file that is not there fails alone: exit 1, the others come out.
cp "$DATA/go126-user.trace" a.trace
tracepipe --sink text missing-1.trace a.trace missing-2.trace >got || echo $?
tracepipe --sink text a.trace | cmp - got
