# The scan alone decides that a file is damaged, and where.
"$SYNTH" --seed 11 --generations 4 --insert-at 50000 --insert-len 777 >in.trace
tracepipe --sink raw in.trace >/dev/null 2>wanted || echo $?
cat wanted
for sink in $(tracepipe --help | sed -E '1,/^Sinks/d; s/^  ([a-z]+) .*/\1/p; d'); do
    code=0
    tracepipe --sink $sink in.trace >/dev/null 2>message || code=$?
    [ $code = 1 ] || echo "$sink: $code"
    grep 'lost at' message | cmp - wanted
done
