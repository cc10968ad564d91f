"$SYNTH" --seed 1 --generations 4 --gen-events 50000 >a.trace
tracepipe --sink text -o a.txt a.trace
for size in 64M 67108864 64MiB; do
    tracepipe --max-memory $size --sink text a.trace | cmp - a.txt
done
