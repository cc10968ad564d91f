# One name per line; blank lines are skipped, spaces belong to the name.
cp "$DATA/go122-chan.trace" "a file.trace"
cp "$DATA/go126-user.trace" b.trace
printf 'b.trace\n\na file.trace' >list
tracepipe --sink text --files-from list >got
tracepipe --sink text b.trace "a file.trace" | cmp - got
