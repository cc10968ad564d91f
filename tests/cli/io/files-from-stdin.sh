cp "$DATA/go126-user.trace" b.trace
echo b.trace | tracepipe --sink text --files-from - >got
tracepipe --sink text b.trace | cmp - got
