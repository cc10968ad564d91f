# Damage is reported, and every byte is there.
"$SYNTH" --seed 11 --generations 3 --overwrite-at 40000 --overwrite-len 300 --overwrite-byte 255 >a.trace
tracepipe --sink raw a.trace >got || echo $?
cmp got a.trace
