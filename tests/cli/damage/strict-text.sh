# Like Go's raw reader: up to the first event it cannot read, and exit 1.
"$SYNTH" --seed 11 --generations 4 --overwrite-at 40000 --overwrite-len 20000 >hole.trace
tracepipe --strict --sink text hole.trace >got || echo $?
tail -n 2 got
