# A full device: exit 3, whoever opened it.
cp "$DATA/go126-user.trace" a.trace
tracepipe --sink text a.trace >/dev/full || echo $?
tracepipe --sink text -o /dev/full a.trace || echo $?
tracepipe --sink stats a.trace >/dev/full || echo $?
[ -c /dev/full ]
