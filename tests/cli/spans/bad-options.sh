for options in longer=5 longer=12:03 longer=-1s state=idle format=xml goroutine=x task=0 depth=3; do
    tracepipe --sink spans:$options "$DATA/go126-user.trace" >/dev/null || echo "$options: $?"
done
# A state has no events.
tracepipe -q --sink stats:format=state -o a.state "$DATA/go126-user.trace"
tracepipe --sink spans a.state || echo "state: $?"
