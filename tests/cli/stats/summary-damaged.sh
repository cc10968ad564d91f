# A trace that ends early: the summary of what there is; with --strict of what Go's
# reader hands out before it gives up.
cp "$DATA/go126-gens.trace" a.trace
size=$(stat -c %s a.trace)
for part in 1 2 3; do
    head -c $((size * part / 4)) a.trace >cut.trace
    echo "== $part of 4"
    tracepipe --sink stats:level=summary cut.trace >out || echo $?
    sha256sum <out
    tail -n 1 out
    tracepipe --strict --sink stats:level=summary cut.trace >out || echo $?
    sha256sum <out
    tail -n 1 out
done
# No event at all.
head -c 16 a.trace >cut.trace
tracepipe --strict --sink stats:level=summary cut.trace
# No trace at all: nothing to sum up.
echo hello >cut.trace
tracepipe --sink stats:level=summary cut.trace || echo $?
