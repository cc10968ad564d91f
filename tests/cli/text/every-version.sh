# The header line names the format: 1.24 writes that of 1.23, 1.27 that of 1.26.
cp "$DATA"/*.trace .
for name in *.trace; do
    tracepipe --sink text "$name" | sed -n "1s/^/$name: /p"
done
