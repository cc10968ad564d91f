# The text form counts like the trace it stands for.
cp "$DATA/go126-user.trace" a.trace
tracepipe --sink text -o a.txt a.trace
tracepipe --sink raw -o b.trace a.txt
tracepipe --sink stats:level=counts,format=csv b.trace | sed 's/^b.trace/a.txt/' | grep -v stored_bytes >wanted
tracepipe --sink stats:level=counts,format=csv a.txt | grep -v stored_bytes | diff wanted -
