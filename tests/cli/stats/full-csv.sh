# Of all inputs together, and in no order.
cp "$DATA/go122-chan.trace" a.trace
cp "$DATA/go126-user.trace" b.trace
"$SYNTH" --seed 5 --version 25 >c.trace
tracepipe -q --sink stats:level=full,format=csv a.trace b.trace c.trace >abc
tracepipe -q --sink stats:level=full,format=csv c.trace a.trace b.trace | cmp - abc
# Of time the first bucket, which shows the form of all.
tracepipe -q --sink stats:level=full,format=csv a.trace | grep -v '^time,[1-9]'
