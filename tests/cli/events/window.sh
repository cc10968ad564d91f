# A time window: durations from the first event, or times of day where the trace knows
# them; [from, to). Nothing of the generations behind it is read.
whole() { tracepipe --sink events "$DATA/go126-gens.trace"; }
whole | grep Sync | cut -c1-60
tracepipe --sink events --from 11ms --to 22ms "$DATA/go126-gens.trace" | sed -n '1p;$p' | cut -c1-90
tracepipe -v --sink events --from 0 --to 1ms "$DATA/go126-gens.trace" 2>&1 >/dev/null |
    sed -n 's/.*window: /window: /p'
wall=$(tracepipe --sink events "$DATA/go126-gens.trace" | sed -n '1s/.*Wall=//p')
echo "begins at $wall"
tracepipe --sink events --from "$wall" --to 2100-01-01T00:00:00Z "$DATA/go126-gens.trace" | wc -l
whole | wc -l
