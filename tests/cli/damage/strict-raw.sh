# Sinks without a reference do not care.
"$SYNTH" --seed 11 --generations 4 --overwrite-at 40000 --overwrite-len 20000 >hole.trace
tracepipe --strict --sink raw hole.trace >got || echo $?
cmp got hole.trace
