tracepipe --io floppy "$DATA/go126-user.trace"
