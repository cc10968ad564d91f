for sink in zstd:level=0 zstd:level=23 zstd:level=x zstd:level=99999999999 zstd:speed=1; do
    tracepipe --sink $sink "$DATA/go126-user.trace" >/dev/null || echo "$sink: $?"
done
