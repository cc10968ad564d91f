# What flame graph tools read; only of ordered events.
cd "$DATA"
tracepipe --sink stats:level=full,format=folded go126-user.trace
tracepipe --sink stats:level=counts,format=folded go126-user.trace || echo $?
