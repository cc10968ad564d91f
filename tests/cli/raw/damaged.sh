# Damage is reported, and every byte is there.
"$SYNTH" --seed 11 --generations 4 --overwrite-at 40000 --overwrite-len 20000 >a.trace
tracepipe --sink raw a.trace >got || echo $?
cmp got a.trace
