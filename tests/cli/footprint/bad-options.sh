tracepipe --sink footprint:header=no "$DATA/go126-user.trace"
