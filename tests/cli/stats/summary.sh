# Digests of the summary of every bundled trace, as Go's Summarizer has them.
cp "$DATA"/*.trace .
for name in *.trace; do
    tracepipe --strict --sink stats:level=summary "$name" >out || echo "$name: $?"
    sha256sum <out | sed "s/-$/$name/"
    tracepipe --sink stats:level=summary,format=go-summary "$name" | cmp - out
done
