# Digests of the events of every bundled trace, as Go's own tool prints them.
cp "$DATA"/*.trace .
for name in *.trace; do
    tracepipe --strict --sink events "$name" >out || echo "$name: $?"
    sha256sum <out | sed "s/-$/$name/"
    tracepipe --sink events "$name" | cmp - out
done
