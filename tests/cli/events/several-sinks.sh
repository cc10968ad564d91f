# One read for all; each gives what it gives alone.
cp "$DATA/go126-many.trace" "$DATA/go122-gc.trace" .
sinks=(events text footprint events:tz=Asia/Tokyo stats:level=counts,format=csv)
words=()
for n in "${!sinks[@]}"; do
    words+=(--sink "${sinks[n]}" -o "all/$n")
done
mkdir all
tracepipe "${words[@]}" go126-many.trace go122-gc.trace
for n in "${!sinks[@]}"; do
    tracepipe --sink "${sinks[n]}" -o "alone.$n" go126-many.trace go122-gc.trace
    diff -r "all/$n" "alone.$n"
done
find all -type f | sort
