# Lists and words together, in the order in which they were given.
for name in a b c; do cp "$DATA/go126-user.trace" $name.trace; done
echo b.trace >list
tracepipe --sink text -o out a.trace --files-from list c.trace
find out -type f | sort
