# Of a hundred traces, which one holds a lock too long, has a garbage collector under
# pressure, stays in system calls, has too few Ps: the first screen says it, with a name.
mkdir fleet
cp "$DATA"/go126-{held-lock,gc-pressure,slow-syscalls,few-ps}.trace fleet
for ((i = 0; i < 84; i++)); do
    "$SYNTH" --seed $((1000 + i)) --generations 2 --gen-bytes 20k >fleet/made-$i.trace
done
for name in go122-chan go122-gens go123-iter go123-alloc go124-user go125-cpu go125-flight \
    go125-http go126-flight go126-gens go126-iter go126-user; do
    cp "$DATA"/$name.trace fleet
done
ls fleet | wc -l
tracepipe -q --sink stats -r fleet >report
head -n 25 report
