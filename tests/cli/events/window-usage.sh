# What is no time, ends before it begins, or cannot be told in the trace.
cp "$DATA/go122-chan.trace" old.trace
for flags in '--from yesterday' '--to 5' '--from 2s --to 1s' \
    '--from 2026-11-21T05:15:00Z --to 2026-11-21T05:14:59.9Z'; do
    rc=0
    tracepipe --sink events $flags "$DATA/go126-gens.trace" || rc=$?
    echo "$flags: $rc"
done
rc=0
tracepipe --sink events --from 2026-11-21T05:15:00Z old.trace || rc=$?
echo "time of day in a trace of Go 1.22: $rc"
tracepipe --sink events --from 1h old.trace
echo "behind the end: $?"
