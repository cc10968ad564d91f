# States of statistics are inputs like traces, and what is in them adds up: in any order and
# mix, by any name, compressed, from a pipe, in a folder.
full() { tracepipe --sink "stats:level=full,format=$1" "${@:2}"; }
cp "$DATA"/go122-*.trace "$DATA"/go126-*.trace .
full csv *.trace >want.csv
full json *.trace >want.json
full state *.trace >want.state
full state -o a.tpstats go122-chan.trace go126-user.trace
full state -o b.trace.gz go122-g*.trace
mkdir folder
full state go126-[!mu]*.trace | gzip >folder/c
full csv a.tpstats b.trace.gz -r folder go126-many.trace | cmp - want.csv
full json go126-many.trace - folder/c a.tpstats <b.trace.gz | cmp - want.json
cat a.tpstats | full state -r folder -j 3 go126-many.trace - b.trace.gz | cmp - want.state
full state --chunk-size 4K want.state | cmp - want.state
full state --max-memory 16M --strict want.state | cmp - want.state
full text,top=1 want.state | sed -n 1,4p
# Packed and copied like all bytes.
tracepipe --sink zstd -o packed.zst --sink raw -o copy --sink stats:level=full -o stats.txt \
    a.tpstats
cmp copy a.tpstats
full csv packed.zst b.trace.gz folder/c go126-many.trace | cmp - want.csv
tracepipe --manifest - --sink stats:level=full -o out.txt a.tpstats | grep -o '"format": "[a-z]*"'
