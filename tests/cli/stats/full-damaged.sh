# What is sound counts; nothing but a header has nothing to tell.
"$SYNTH" --seed 30 --generations 6 --truncate 100001 >cut.trace
tracepipe --sink stats:level=full,top=1 cut.trace 2>messages | sed -n 1,24p || true
# Some regions are open when their goroutine ends.
sed '/no data is lost/d' messages >&2
"$SYNTH" --generations 0 >header.trace
: >empty.trace
tracepipe --sink stats:level=full,format=csv header.trace empty.trace || echo $?
# Bytes of events that could not be put in order are in the totals and in the row of the file, also
# by way of a state.
"$SYNTH" --seed 5 --version 25 --generations 3 --gen-events 500 --threads 3 \
    --batch-bytes 700 --drop-batch 12 >holed.trace
shown() { tracepipe "$@" 2>/dev/null || true; }
missing() { grep -o '"\(lost\|unordered\)_bytes":[0-9]*' | tr '\n' ' '; echo; }
shown --sink stats holed.trace | sed -n 3p
shown --sink stats:by=trace --screen 160x24 holed.trace cut.trace | sed -n '3p;/^  .*trace/p'
shown --sink stats:format=state holed.trace cut.trace >both.stats
shown --sink stats:format=json holed.trace cut.trace | missing
shown --sink stats:format=json both.stats | missing
