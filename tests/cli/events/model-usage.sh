# One run has events of one kind.
in=$DATA/v1/go111-gc.trace
tracepipe --sink events:model=v0 "$in" || echo $?
tracepipe --sink events:model=v1 -o v1 --sink events -o v2 "$in" || echo $?
tracepipe --sink events:model=v1 -o v1 --sink null:until=order "$in" || echo $?
# Sinks of other things do not matter.
tracepipe --sink events:model=v1 -o v1.events --sink footprint -o sizes "$in"
wc -l <v1.events
head -n 2 sizes
# Nor that other inputs are for these alone.
for trace in go126-user go126-gens v1/go111-gc; do
    for words in '' '--strict' '--from 1ms' '--to 2ms'; do
        tracepipe --force $words --sink events:model=v1 -o v1 --sink footprint -o sizes \
            "$DATA/$trace.trace" 2>/dev/null || echo "$trace $words: $?"
    done
done
