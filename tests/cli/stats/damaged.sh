"$SYNTH" --seed 11 --generations 4 --overwrite-at 40000 --overwrite-len 20000 >hole.trace
tracepipe --sink stats:level=counts hole.trace
