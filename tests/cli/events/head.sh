# The first events of a real trace.
tracepipe --sink events -o a.events "$DATA/go126-user.trace"
head -n 40 a.events
