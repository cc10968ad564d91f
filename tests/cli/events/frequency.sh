# Before Go 1.25 a generation may say last how its clock runs. Where that was cut off,
# times rest on a guess, or on what the user knows, and that is said.
head -c 5049 "$DATA/go122-chan.trace" | tail -c +50 >events
{ head -c 16 "$DATA/go122-chan.trace"; cat events; } >cut.trace
for flags in '' '--frequency 1000000000'; do
    rc=0
    tracepipe --sink events $flags cut.trace >out || rc=$?
    grep '^M=' out | sed -n '1p;$p' | cut -c1-60
    echo "exit $rc"
done
