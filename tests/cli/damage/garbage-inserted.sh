"$SYNTH" --seed 11 --generations 4 --insert-at 50000 --insert-len 777 >in.trace
tracepipe --sink stats:level=counts,format=csv in.trace >/dev/null
