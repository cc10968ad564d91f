# The number of workers is not seen in the result.
"$SYNTH" --seed 1 --generations 4 --gen-events 5000 >a.trace
tracepipe -j1 --sink text -o 1.txt --sink zstd -o 1.zst a.trace
for jobs in 2 3 8; do
    tracepipe -j $jobs --sink text -o $jobs.txt --sink zstd -o $jobs.zst a.trace
    cmp 1.txt $jobs.txt
    cmp 1.zst $jobs.zst
done
tracepipe --jobs=2 --sink text a.trace | cmp - 1.txt
