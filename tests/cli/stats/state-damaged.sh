# A state counts whole or not at all; others go on.
full() {
    tracepipe --sink stats:level=full,format=csv "$@" | grep -E '^total,,,(trace_count|refused_count|events),'
}
cp "$DATA/go122-chan.trace" .
tracepipe --sink stats:level=full,format=state -o a.tpstats go122-chan.trace
head -c 7 a.tpstats >seven
head -c 12 a.tpstats >twelve
head -c 1000 a.tpstats >cut
{ cat a.tpstats; printf x; } >longer
{ head -c 1000 a.tpstats; printf '\377'; tail -c +1002 a.tpstats; } >flipped
{ head -c 8 a.tpstats; printf '\377'; tail -c +10 a.tpstats; } >version
gzip <a.tpstats | head -c 1000 >cut.gz
cat a.tpstats a.tpstats >twice
full seven twelve cut longer flipped version cut.gz twice a.tpstats || echo $?
