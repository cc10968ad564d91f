# Tasks, regions and logs: all lines.
tracepipe --sink stats:level=summary "$DATA/go126-user.trace"
