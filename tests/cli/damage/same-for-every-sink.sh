# The scan alone decides that a file is damaged, and where.
"$SYNTH" --seed 11 --generations 4 --insert-at 50000 --insert-len 777 >in.trace
tracepipe --sink raw in.trace >/dev/null 2>wanted || echo $?
cat wanted
for sink in stats text footprint zstd null; do
    tracepipe --sink $sink in.trace >/dev/null 2>message || echo "$sink: $?"
    grep lost message | cmp - wanted
done
