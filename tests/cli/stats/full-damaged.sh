# What is sound counts; nothing but a header has nothing to tell.
"$SYNTH" --seed 30 --generations 6 --truncate 100001 >cut.trace
tracepipe --sink stats:level=full,top=1 cut.trace | sed -n 1,24p || true
"$SYNTH" --generations 0 >header.trace
: >empty.trace
tracepipe --sink stats:level=full,format=csv header.trace empty.trace || echo $?
