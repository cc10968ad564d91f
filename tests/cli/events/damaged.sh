# A trace that ends early: what there is, and the end of the trace; with --strict
# what Go's reader hands out before it gives up, and its reason.
cp "$DATA/go126-gens.trace" a.trace
size=$(stat -c %s a.trace)
for part in 1 2 3; do
    head -c $((size * part / 4)) a.trace >cut.trace
    echo "== $part of 4"
    tracepipe --sink events cut.trace >out || echo $?
    wc -l <out
    tail -n 1 out
    tracepipe --strict --sink events cut.trace >out || echo $?
    wc -l <out
    tail -n 1 out
done
