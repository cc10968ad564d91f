# The total over all files does not depend on their order.
cp "$DATA/go122-chan.trace" a.trace
cp "$DATA/go126-user.trace" b.trace
"$SYNTH" --seed 5 --version 25 >c.trace
tracepipe --sink stats:level=counts,format=csv a.trace b.trace c.trace | grep '^,' >abc
tracepipe --sink stats:level=counts,format=csv c.trace a.trace b.trace | grep '^,' | cmp - abc
[ -s abc ]
