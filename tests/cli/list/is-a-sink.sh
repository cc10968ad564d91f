# --list is --sink list, and with -v --sink list:batches=yes, wherever the words stand.
cp "$DATA/go126-gens.trace" a.trace
tracepipe --sink list a.trace >list
tracepipe -l a.trace | cmp - list
tracepipe --list -o got a.trace && cmp got list
tracepipe --sink list:batches=yes a.trace >batches
tracepipe --list -v a.trace 2>/dev/null | cmp - batches
tracepipe a.trace -vl 2>/dev/null | cmp - batches
tracepipe -v --list -q a.trace | cmp - list
# It is one of several, each with its output.
tracepipe -l -o list2 --sink footprint -v a.trace >table 2>/dev/null
cmp list2 batches
tracepipe --sink footprint a.trace | cmp - table
