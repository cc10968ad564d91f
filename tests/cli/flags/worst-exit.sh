# 2 before 3 before 1.
cp "$DATA/go126-user.trace" a.trace
tracepipe --sink text missing.trace a.trace >/dev/full || echo $?
tracepipe --sink text --sink raw missing.trace a.trace >/dev/full || echo $?
