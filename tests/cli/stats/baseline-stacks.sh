# Stacks of two sides: folded lines with two numbers, which are those that difffolded.pl makes of two files of ours, and
# a flame graph in red and blue.
from=$DATA/../../findings/data
zstd -dqc "$from"/016-healthy-idle.* >before.trace
zstd -dqc "$from"/006-lock.* >after.trace
cp before.trace same.trace
for side in before after; do
    tracepipe -q --sink stats:format=folded "$side.trace" >"$side.folded"
    tracepipe -q --sink stats:format=folded,by=waker "$side.trace" >"$side.woken"
done
# What difffolded.pl does, but in an order: all stacks of both files with the sum of each, 0 where there is none.
join_files() {
    awk '{ n = $NF; sub(/ [0-9]+$/, ""); sum[FILENAME, $0] += n; all[$0] = 1 }
        END { for (s in all) printf "%s %.0f %.0f\n", s, sum[ARGV[1], s], sum[ARGV[2], s] }' "$1" "$2" | LC_ALL=C sort
}
# A stack that begins another one sorts before it, whatever follows; the numbers stand last.
by_stack() {
    sed 's/ \([0-9]* [0-9]*\)$/\x01\1/' | LC_ALL=C sort | tr '\001' ' '
}
tracepipe -q --sink stats:format=folded --baseline before.trace after.trace >two.folded
join_files before.folded after.folded | by_stack | cmp - two.folded
tracepipe -q --sink stats:format=folded,by=waker --baseline before.trace after.trace >two.woken
join_files before.woken after.woken | by_stack | cmp - two.woken
wc -l <two.folded
grep -c ' 0 [1-9][0-9]*$' two.folded
grep -c ' [1-9][0-9]* 0$' two.folded
tracepipe -q --sink stats:format=folded --baseline before.trace same.trace |
    awk '$NF != $(NF - 1) { bad = 1 } END { exit bad }'

tracepipe -q --sink stats:format=flamegraph --baseline before.trace after.trace >two.svg
grep -o 'baseline, blue: less' two.svg
grep -o 'applyVisit ([^)]*)' two.svg | head -2
grep -o 'fill="#[0-9a-f]*"' two.svg | sort | uniq -c | sort -rn | head -3
tracepipe -q --sink stats:format=flamegraph --baseline before.trace same.trace | grep -c 'fill="#ffebeb"'
