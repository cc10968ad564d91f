# Whoever does not read states refuses them, and goes on.
tracepipe --sink stats:level=full,format=state -o a.tpstats "$DATA/go122-chan.trace"
for sink in stats:level=counts text footprint events null stats:level=summary; do
    tracepipe --sink $sink a.tpstats >out || echo $sink: $?
done
tracepipe --sink stats:level=counts,format=csv a.tpstats "$DATA/go122-chan.trace" |
    grep -E '^,(complete_count|refused_count),' || echo $?
# Beside one that does.
tracepipe --sink stats:level=full,format=csv --sink text -o texts "$DATA/go122-chan.trace" \
    a.tpstats |
    grep -E '^total,,,(trace_count|refused_count),' || echo $?
ls texts
# There are no events to choose by time.
tracepipe --sink stats:level=full,format=csv --from 1us a.tpstats "$DATA/go122-chan.trace" |
    grep -E '^total,,,(trace_count|refused_count),' || echo $?
tracepipe --sink stats:level=counts,format=state a.tpstats || echo $?
