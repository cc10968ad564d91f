cp "$DATA"/*.trace .
for name in *.trace; do
    tracepipe --sink footprint "$name" | sha256sum | sed "s/-$/$name/"
done
