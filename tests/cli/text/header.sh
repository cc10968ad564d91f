# header=no leaves out the first line and nothing else.
cp "$DATA/go125-cpu.trace" a.trace
tracepipe --sink text a.trace >with
tracepipe --sink text:header=yes a.trace | cmp - with
tracepipe --sink text:header=no a.trace >without
sed -n 1p with
tail -n +2 with | cmp - without
