# A state is read whole, so it has to fit, beside the totals of the inputs before it.
full() {
    tracepipe --sink stats:level=full,format=csv "$@" | grep -E '^total,,,(trace_count|refused_count),'
}
"$SYNTH" --gen-events 20000 --stacks 15000 --stack-depth 120 --functions 30000 >a.trace
tracepipe -q --sink stats:level=full,format=state -o a.tpstats a.trace
gzip -k a.tpstats
full a.tpstats a.tpstats.gz
full --max-memory 20M a.tpstats "$DATA/go122-chan.trace" a.tpstats.gz 2>messages || echo $?
cat messages >&2
# What a bound wrote the same bound reads.
tracepipe --max-memory 20M --sink stats:level=full,format=state a.tpstats | cmp - a.tpstats
