# With -f an output may take the name of its own input: by then it is complete.
cp "$DATA/go126-user.trace" a.trace
tracepipe --sink text a.trace >wanted
tracepipe -f --sink text -o a.trace a.trace
cmp a.trace wanted
