# What has no events of goroutines is no healthy trace: a file with nothing but its header, alone
# and beside others; tasks without a name are not all tasks.
head -c 16 "$DATA/go126-gens.trace" >header.trace
tracepipe header.trace
tracepipe --all header.trace
cp "$DATA/go126-few-ps.trace" few-ps.trace
tracepipe header.trace few-ps.trace | sed -n 1,9p
# Neither has one that ends before what it tells of goroutines: there is nothing to lay out by time.
head -c 100 "$DATA/go126-gens.trace" >start.trace
tracepipe --screen 80x24 start.trace 2>/dev/null || true
tracepipe --sink stats:by=task "$DATA/../../findings/data"/001*.zst | sed -n '/^  (no name)/s/   .*//p'
