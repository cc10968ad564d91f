# Cut in the middle of a batch: what is whole is kept, the rest is counted.
head -c 5000 "$DATA/go126-user.trace" >cut.trace
tracepipe --sink text cut.trace | tail -n 3 || echo $?
tracepipe cut.trace >/dev/null
