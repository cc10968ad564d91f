# The first 15 bytes of a header of 16.
head -c 15 "$DATA/go126-user.trace" >cut.trace
tracepipe --sink text cut.trace
