tracepipe --sink stats:by=finding,filter=x "$DATA/go126-user.trace" || echo "filter: $?"
for sink in stats:format=xml stats:level=all stats:colour=red stats:format stats:,; do
    tracepipe --sink $sink "$DATA/go126-user.trace" || echo "$sink: $?"
done
