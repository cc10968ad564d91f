# With -0 names may hold newlines.
cp "$DATA/go122-chan.trace" $'new\nline.trace'
cp "$DATA/go126-user.trace" b.trace
printf 'b.trace\0new\nline.trace\0' >list
tracepipe -0 --sink text --files-from list >got
tracepipe --sink text b.trace $'new\nline.trace' | cmp - got
