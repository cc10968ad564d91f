# Checks of a run that goes on are about all inputs of its record, with a sink that has sums and without.
mkdir in
cp "$DATA/../planted/shop.trace.zst" in/1
for sinks in '--sink stats -o report' '--sink raw -o raw'; do
    echo "$sinks" >&2
    tracepipe -r in $sinks --resume record --check 'task(checkout).count == 200'
    cp "$DATA/../planted/shop.trace.zst" in/2
    tracepipe -r in $sinks --resume record --check 'task(checkout).count == 400'
    rm -r record* in/2 report* raw* 2>/dev/null || true
done
