# A header and nothing else, as a process leaves that dies at once.
head -c 16 "$DATA/go122-chan.trace" >22.trace
head -c 16 "$DATA/go126-user.trace" >26.trace
tracepipe --sink text 22.trace || echo "22: $?"
tracepipe --sink text 26.trace || echo "26: $?"
