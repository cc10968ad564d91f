# Events of the experiment AllocFree are printed for every version that has them, and read.
for version in 23 25 26; do
    "$SYNTH" --seed 9 --version $version --alloc-free 1 --generations 1 --gen-events 300 >a.trace
    tracepipe --sink text a.trace >a.txt
    echo "$version: $(grep -cE '^(Span|HeapObject|GoroutineStack)' a.txt)"
    tracepipe --sink raw a.txt >b.trace
    tracepipe --sink text b.trace | cmp - a.txt
done
