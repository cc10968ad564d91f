cp "$DATA/go126-user.trace" a.trace
tracepipe --sink text a.trace >wanted
zstd -q a.trace -o a.trace.zst
cp a.trace.zst misnamed.trace
tracepipe --sink text a.trace.zst | cmp - wanted
tracepipe --sink text misnamed.trace | cmp - wanted
tracepipe --sink text - <a.trace.zst | cmp - wanted
