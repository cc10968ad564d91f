cp "$DATA/go126-user.trace" a.trace
for size in 4095 5M 0 -1 4Q '' 18446744073709551616; do
    tracepipe --chunk-size "$size" --sink text a.trace || echo "'$size': $?"
done
