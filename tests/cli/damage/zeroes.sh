# A hole of zeroes, as a crash of the file system leaves it.
"$SYNTH" --seed 11 --generations 4 --overwrite-at 40000 --overwrite-len 20000 >hole.trace
tracepipe --sink text hole.trace | grep -c ^EventBatch
