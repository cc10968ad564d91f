# The scan alone decides that a file is damaged.
"$SYNTH" --seed 11 --generations 4 --insert-at 50000 --insert-len 777 >in.trace
for sink in stats text footprint raw zstd null; do
    tracepipe --sink $sink in.trace >/dev/null 2>$sink.message || echo "$sink: $?"
    grep lost $sink.message | cmp - stats.message
done
