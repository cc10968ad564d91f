tracepipe --sink null:sum=yes "$DATA/go126-user.trace"
