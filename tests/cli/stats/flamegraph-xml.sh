# Well-formed, and each frame within the one below: of bundled, generated, odd and damaged traces.
"$SYNTH" --seed 5 --version 25 >generated.trace
"$SYNTH" --seed 6 --generations 6 --samples 50 --truncate 100001 >cut.trace
"$SYNTH" --seed 7 --odd-strings 60 --samples 50 --overwrite-at 60000 --overwrite-len 3000 >odd.trace
"$SYNTH" --seed 8 --gen-events 20000 --stacks 1500 --functions 60 --samples 400 >many.trace
"$SYNTH" --generations 0 >header.trace
count=0
for trace in "$DATA"/*.trace "$DATA"/v1/*.trace ./*.trace; do
    svg=$((++count)).svg
    tracepipe -q --sink stats:format=flamegraph -o $svg "$trace" 2>/dev/null || true
    tracepipe -q --sink stats:format=folded "$trace" 2>/dev/null >folded || true
    # There is a block for each type with a number.
    sed -n 's/.*data-type="\([a-z_]*\)".*/\1/p' $svg | sort >drawn
    sed -n '/ 0$/d; s/[; ].*//p' folded | sort -u | cmp - drawn || echo "$trace"
done
tracepipe -q --sink stats:format=flamegraph -o all.svg "$DATA"/*.trace ./*.trace 2>/dev/null || true
/usr/bin/python3 "$DATA/../../cli/svg.py" ./*.svg
