# A state is read whole, so it has to fit, beside what others need.
full() {
    tracepipe --sink stats:level=full,format=csv "$@" | grep -E '^total,,,(trace_count|refused_count),'
}
"$SYNTH" --gen-events 20000 --stacks 15000 --stack-depth 120 --functions 30000 >a.trace
tracepipe -q --sink stats:level=full,format=state -o a.tpstats a.trace
gzip -k a.tpstats
full a.tpstats a.tpstats.gz
full --max-memory 20M a.tpstats "$DATA/go122-chan.trace" a.tpstats.gz 2>messages || echo $?
sed 's/more than [0-9]* KiB/more than N KiB/' messages >&2
