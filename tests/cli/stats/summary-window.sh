# Within a window of time: its events alone.
tracepipe --from 2ms --to 4ms --sink stats:level=summary "$DATA/go126-gens.trace" | tail -n 1
