# What changes from night to night: inputs that fail once, names that move, files of others.
A=$DATA/go126-user.trace B=$DATA/go125-http.trace C=$DATA/go126-iter.trace
is() { zstd -dqc "$1" | cmp - "$2"; }
zstd_of() { tracepipe --resume "$1" --sink zstd -o out "${@:2}"; }
echo "== an input that is away for a night keeps its output, and gets it replaced"
cp "$A" x
cp "$B" y
zstd_of r1 x y
mv x away
zstd_of r1 x y || echo "away: $?"
mv away x
cp "$C" x
zstd_of r1 x y
is out/x.zst "$C"
echo "== a pipe has other bytes each time"
mkfifo pipe
for trace in "$A" "$B"; do
    cat "$trace" >pipe &
    zstd_of r1 x y pipe
    is out/pipe.zst "$trace"
done
rm -r out
echo "== numbers of clashing names stay with their inputs"
mkdir d1 d2 d3
cp "$A" d1/a.trace
cp "$B" d2/a.trace
cp "$C" d3/a.trace
for list in d2 'd1 d2' 'd2 d3' 'd1 d2 d3'; do
    tracepipe -r --on-clash rename --resume r2 --sink zstd -o out $list
done
is out/a.trace.zst "$B"
is out/a.trace-2.zst "$A"
is out/a.trace-3.zst "$C"
ls out
tracepipe --verify r2
rm -r out
for list in 'd1 d2' 'd2 d3'; do
    tracepipe -r --on-clash skip --resume r3 --sink zstd -o out $list
done
is out/a.trace.zst "$A"
tracepipe -r --on-clash rename --skip-existing --sink zstd -o out d1 d2 || echo $?
echo "== inputs that are done are inputs all the same"
mkdir -p t/s u/s
cp "$A" t/s/a.trace.raw
cp "$B" t/s/b.trace
tracepipe -r --resume r4 --sink raw -o t t/s
cp "$C" u/s/a.trace
tracepipe -f -r --resume r4 --sink raw -o t t/s u || echo $?
cmp t/s/a.trace.raw "$A"
echo "== files of others are not states"
tracepipe --sink stats:format=state -o night.0-1.state "$A"
zstd_of night x
tracepipe night.0-1.state | sed -n 1p
tracepipe --resume night --sink stats -o s x night.0-1.state || echo $?
echo "== copies of outputs are somebody's files"
cp -r out bak
tracepipe --resume r3 --sink zstd -o bak d1/a.trace d2/b.trace 2>/dev/null || echo $?
tracepipe --resume night --sink zstd:level=19 -o bak x y || echo "not its own: $?"
echo "== other names for the same inputs are other outputs"
tracepipe -r --resume r5 --sink zstd -o tree t
tracepipe --resume r5 --sink zstd -o tree t/s/b.trace u/s/a.trace
ls tree
echo "== a record that lost lines has no sums"
tracepipe --resume r6 --sink stats -o s6 x
tracepipe --resume r6 --sink stats -o s6 x y
for line in 3 1; do
    sed "$line d" r6 >r7
    if [ $line = 1 ]; then echo '{"kind": "run", "schema": "tracepipe.record/1"}' | cat - r7 >r8 && mv r8 r7; fi
    for k in 1 2 3; do cp r6.0-$k.state r7.0-$k.state 2>/dev/null || true; done
    rm -f s7
    tracepipe --resume r7 --sink stats -o s7 x y d3/a.trace
    head -1 s7
    rm r7*
done
(head -n 1 r6 && head -c 10000000 /dev/zero | tr '\0' x && echo && tail -n +2 r6) >r7
tracepipe --verify r7
echo "== --fail-fast, and clocks, by the record"
head -c 5000 "$A" >cut
for i in 1 2; do
    tracepipe --fail-fast --resume r9 --sink text -o text cut y || echo $?
done
echo "== a record in the folder of inputs, and words that were not set"
for i in 1 2; do
    tracepipe -r --resume d1/record --sink stats -o d1.stats d1
    head -1 d1.stats
done
for flag in --resume --timeout --manifest; do
    tracepipe $flag '' x || echo $?
done
tracepipe --resume - x || echo $?
echo "== all is read back"
tracepipe --read-back --resume r10 --manifest m10 --sink zstd -o out10 --sink stats -o s10 x y
tracepipe --verify r10
