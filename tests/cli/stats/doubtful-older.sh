# A trace from before Go 1.22 of which a batch begins hours too early, with an event that has to
# follow one of the others: in doubt, and left out beside a sound trace.
{
    tracepipe -q --sink text "$DATA/v1/go111-gc.trace" | sed '2,$d'
    printf '%s\n' 'Batch p=6 ticks=14' 'HeapAlloc dt=31 mem=1' 'GoStart dt=53 g=19 seq=7'
    tracepipe -q --sink text "$DATA/v1/go111-gc.trace" | sed 1d
} >early.txt
tracepipe --sink raw -o early.trace early.txt
tracepipe --sink stats:top=1 early.trace | sed -n 1,2p || echo "status $?"
tracepipe --sink stats:format=csv early.trace "$DATA/v1/go111-gc.trace" |
    grep -aE '^inconsistent_clock.*,(events|duration_ns),|^total,,,(trace_count|duration_ns)' ||
    echo "status $?"
# Where all are in doubt nothing is left.
cp early.trace again.trace
tracepipe -q --sink stats early.trace again.trace | sed -n 1p || echo "status $?"
