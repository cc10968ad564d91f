# The raw reader takes the end of the file for the end of the trace.
head -c 5000 "$DATA/go126-user.trace" >cut.trace
tracepipe --strict --sink text cut.trace | tail -n 2 || echo $?
