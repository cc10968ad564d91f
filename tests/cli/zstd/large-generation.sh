# Generations larger than a frame are cut at 8 MiB.
"$SYNTH" --seed 2 --generations 1 --gen-events 0 --gen-bytes 20000000 --threads 8 >a.trace
tracepipe --sink zstd a.trace >a.zst
zstd -lv a.zst 2>&1 | grep -E 'Zstandard Frames|Skippable' | sed 's/  *$//'
zstd -qdc a.zst | cmp - a.trace
