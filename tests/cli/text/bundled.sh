# Digests of the text of every bundled trace, as Go's raw writer gives it.
cp "$DATA"/*.trace .
for name in *.trace; do
    tracepipe --sink text "$name" | sha256sum | sed "s/-$/$name/"
done
