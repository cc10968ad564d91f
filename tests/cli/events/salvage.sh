# A generation that cannot be put in order to its end, because a batch of it is missing:
# kept up to there, or dropped; what follows begins anew. With --strict everything ends
# there, as with Go's reader.
trace() {
    "$SYNTH" --seed 5 --version 26 --generations 3 --gen-events 500 --threads 3 \
        --batch-bytes 700 "$@"
}
trace >whole.trace
tracepipe -q --sink events whole.trace | grep -c ^M=
trace --drop-batch 12 >holed.trace
for how in '--salvage prefix' '--salvage generation' '--strict'; do
    rc=0
    tracepipe --sink events $how holed.trace >out 2>messages || rc=$?
    # Some regions are open when their goroutine ends.
    sed '/no data is lost/d' messages >&2
    echo "$how: $(grep -c ^M= out) events in $(grep -c Sync out) parts, exit $rc"
done
