cp "$DATA/hand.trace" a.trace
tracepipe --sink list:format=csv a.trace || echo $?
tracepipe --sink list:batches=some a.trace || echo $?
tracepipe --list --list -o x -o y a.trace || echo $?
