# After -- every word is a file.
cp "$DATA/go126-user.trace" ./-q
tracepipe --sink text -- -q | cmp - <(tracepipe --sink text ./-q)
