# What flame graph tools read; only of ordered events.
tracepipe --sink stats:level=full,format=folded "$DATA/go126-user.trace"
tracepipe --sink stats:format=folded "$DATA/go126-user.trace" || echo $?
