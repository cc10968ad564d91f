# What is outside a window is not read, but for batch headers, and what comes out does
# not show whether it was: from a pipe everything is read.
trace=$DATA/go126-gens.trace
both() { # FILE FLAG...
    local file=$1
    shift
    tracepipe -v --sink events "$@" "$file" 2>words >from-file || echo "exit $?"
    sed -n 's/.*window: /window: /p; s/.*warning: [^:]*: //p' words
    cat "$file" | tracepipe -q --sink events "$@" - >from-pipe 2>words || true
    cmp from-file from-pipe
}
for window in '--to 0' '--to 1ms' '--from 30ms --to 31ms' '--from 30ms' '--from 1h' \
    '--from 30ms --exact' '--from 30ms --to 31ms --exact'; do
    echo "$window"
    both "$trace" $window
done
echo 'before Go 1.25'
both "$DATA/go122-gens.trace" --from 30ms --to 31ms

echo 'damage before the window, and behind it'
damage() { # OFFSET
    cp "$trace" damaged.trace
    printf '\377' | dd of=damaged.trace bs=1 seek="$1" conv=notrunc status=none
}
damage 4206
both damaged.trace --from 30ms --to 31ms
damage 12412
both damaged.trace --from 30ms --to 31ms
damage 15251
both damaged.trace --from 11ms --to 12ms

echo 'others want all of it'
tracepipe -v --sink events -o with-stats --sink stats:level=counts --from 30ms --to 31ms "$trace" \
    2>&1 >/dev/null | sed -n 's/.*window: /window: /p'
tracepipe -v --manifest run.json --sink events -o with-json --from 30ms --to 31ms "$trace" 2>&1 |
    sed -n 's/.*window: /window: /p'
cmp with-stats with-json
