# An output must not be the input, forced or not.
cp "$DATA/go126-user.trace" a.trace
cp a.trace saved
tracepipe -f --sink raw -o a.trace a.trace || echo $?
cmp a.trace saved
