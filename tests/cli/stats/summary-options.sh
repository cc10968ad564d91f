# What does not go together is refused before anything is made.
for options in level=summary,format=text level=summary,format=csv level=full,format=go-summary fix=yes \
    level=counts,format=go-summary level=summary,format=flamegraph; do
    tracepipe --sink "stats:$options" -o out "$DATA/go126-user.trace" || echo "$options: $?"
done
ls
tracepipe --sink stats:format=auto "$DATA/go126-user.trace" >auto
tracepipe --sink stats:format=text "$DATA/go126-user.trace" | cmp - auto
tracepipe --sink stats:format=go-summary "$DATA/go126-user.trace" >implied
tracepipe --sink stats:level=summary "$DATA/go126-user.trace" | cmp - implied
