# What cannot fit is said clearly.
cp "$DATA/go126-user.trace" a.trace
tracepipe --max-memory 1K --sink text a.trace
