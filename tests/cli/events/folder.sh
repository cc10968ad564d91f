# One output per input, named after it.
mkdir -p in/deep
cp "$DATA/go123-iter.trace" in
cp "$DATA/go126-iter.trace" in/deep
tracepipe --sink events -o out -r in
find out -type f | sort
tracepipe --sink events in/go123-iter.trace | cmp - out/go123-iter.trace.events
