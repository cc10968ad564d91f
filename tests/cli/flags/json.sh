# --json is format=json of the sink that prints, wherever it stands.
cp "$DATA/go126-user.trace" a.trace
tracepipe --sink stats:format=json a.trace >want
tracepipe --json a.trace | cmp - want
tracepipe --sink stats a.trace --json | cmp - want
tracepipe --json --sink stats:format=json a.trace | cmp - want
tracepipe --json -o - a.trace | cmp - want
tracepipe --sink list:batches=yes,format=json a.trace >want
tracepipe -lv --json a.trace | cmp - want
tracepipe --sink stats:level=counts,format=json a.trace >want
tracepipe --json --sink stats:level=counts a.trace --sink text -o a.txt | cmp - want
# A sink with an output makes JSON if it can and has no other form.
tracepipe --json --sink stats:level=counts -o report --sink stats:format=folded -o folded a.trace
cmp report want
head -c 1 folded
echo
# It is an error where there is none.
tracepipe --json --sink text a.trace || echo $?
tracepipe --json --sink events -o x --sink footprint a.trace || echo $?
tracepipe --json --sink text -o x a.trace || echo $?
tracepipe --json --sink stats:format=csv a.trace || echo $?
tracepipe --json --sink nothing a.trace || echo $?
tracepipe --json --sink "stats:filter=$(printf '%4096s' x)" a.trace 2>message || echo $?
cut -c1-40 message
# Its argument was once the manifest.
touch there.json
tracepipe --json run.json a.trace || echo $?
tracepipe --json there.json a.trace || echo $?
tracepipe --json run --sink text -o a.txt a.trace || echo $?
tracepipe --json=run.json a.trace || echo $?
[ ! -e x ] && [ ! -e run.json ] && [ ! -e run ]
# What comes later, or is there, is an input.
tracepipe --json -- a.trace missing.trace >both || echo $?
tracepipe --json - <a.trace | sed -n 1p | cut -c1-40
