# A frame ends at the first border of generations past 2 MiB, at the latest at
# 8 MiB; each has a checksum and its size; a seek table ends the file.
"$SYNTH" --seed 2 --generations 12 --gen-events 0 --gen-bytes 1000000 --threads 8 >a.trace
tracepipe --sink zstd a.trace >a.zst
zstd -lv a.zst 2>&1 | grep -E 'Frames|Check|Skippable|Decompressed Size' | sed 's/  *$//'
tail -c 4 a.zst | od -An -tx1
zstd -qdc a.zst | cmp - a.trace
