# -v tells how much was read, and by how many reads, whichever engine there is.
cp "$DATA/go126-gens.trace" a.trace
cp "$DATA/go126-gens.trace.gz" a.gz
head -c 5000 a.trace >cut.trace
: >empty
tracepipe -v --chunk-size 4K --sink stats:level=counts a.trace cut.trace a.gz empty 2>&1 >/dev/null |
    grep ' reads\?$' || echo $?
