# Checks hold whatever the sinks are: these share the totals, gather others, have none, or read no events.
shop=$DATA/../planted/shop.trace.zst
tracepipe --sink stats:format=state -o shop.state "$shop"
for sinks in '' '--sink stats:format=json' '--sink stats:by=function,keep=3' '--sink stats:level=counts' \
    '--sink text' '--sink raw' '--sink report' '--sink pprof' '--sink list' \
    '--sink stats:format=state'; do
    echo "$sinks" >&2
    tracepipe $sinks -o out --check 'task(checkout).p99 < 84353664ns' --check 'blocked.total > 1s' "$shop" || echo "exit $?"
    # The output is that of a run without checks.
    tracepipe $sinks -o alone "$shop"
    cmp out alone
    rm out alone
done
# States are inputs like others.
echo states >&2
tracepipe --check 'task(checkout).count == 400' --check 'task(checkout).share == 100%' \
    -o /dev/null shop.state "$shop"
# Sinks that read no states refuse them, as without checks.
tracepipe --sink events -o out --check 'task(checkout).count == 200' shop.state || echo "exit $?"
