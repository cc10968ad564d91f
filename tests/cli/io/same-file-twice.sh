# The same name twice is read twice.
cp "$DATA/go126-user.trace" a.trace
tracepipe --sink text a.trace a.trace >twice
tracepipe --sink text a.trace >once
cat once once | cmp - twice
