# Many inputs that are read again when their turn comes, more generations than may wait at a
# time: the same bytes as from memory.
for i in 1 2 3; do
    mkdir -p in/$i
    cp "$DATA"/go12*.trace in/$i
done
tracepipe --sink stats:format=state -r --reread never in >want.state
tracepipe --sink events -r --reread never in | cksum >want.events
for jobs in 1 2 5; do
    tracepipe -j$jobs --sink stats:format=state -r --reread always in | cmp - want.state
    tracepipe -j$jobs --sink stats:format=state -r --reread always --io pread in | cmp - want.state
    tracepipe -j$jobs --sink events -r --reread always in | cksum | cmp - want.events
done
