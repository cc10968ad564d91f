# Three traces as one state, and one input that is none: one is refused, however many files
# the state stands for. A state knows what was refused when it was made.
tracepipe --sink stats:format=state -o three.stats "$DATA"/go126-{user,few-ps,held-lock}.trace
echo letter >letter.txt
tracepipe --sink stats:format=csv three.stats letter.txt >got || echo $?
grep -aE '^total,,,(trace_count|refused_count),' got
tracepipe --sink stats:format=state -o four.stats three.stats letter.txt || echo $?
tracepipe --sink stats:format=csv four.stats letter.txt four.stats >got || echo $?
grep -aE '^total,,,(trace_count|refused_count),' got
