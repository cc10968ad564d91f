# What is sound has its rows. Where events are lost, goroutines are announced again: what they did
# until then is not known.
"$SYNTH" --seed 30 --generations 6 --overwrite-at 60000 --overwrite-len 9000 >damaged.trace
tracepipe -q --sink spans damaged.trace >rows || echo "damaged: $?"
sha256sum <rows
cut -d, -f 3,11 rows | sort | uniq -c | grep -E 'begin|end|both' | sed -n 1,12p
# A time window: states are followed from its first event on.
cp "$DATA/go126-gens.trace" .
tracepipe --sink spans --from 11ms --to 12ms go126-gens.trace | cut -d, -f1-6,8,10- | sed -n '1,3p;$p'
# With --strict rows end where Go's reader stops.
tracepipe -q --strict --sink spans damaged.trace >strict || echo "strict: $?"
cmp -n "$(stat -c %s strict)" strict rows
