# Every input has its row, those that are no traces, too, and says what became of it.
mkdir -p in
cp "$DATA/go126-user.trace" in/b.trace
cp "$DATA/v1/go111-gc.trace" in/e.trace
head -c 5000 "$DATA/go126-gens.trace" >in/f.trace
echo letter >in/a.txt
: >in/c.empty
printf 'go 1.99 trace\0\0\0' >in/g.trace
printf '\x28\xb5\x2f\xfd\xff' >in/h.zst
tracepipe --list -q -r in no-such-file || echo $?
for batches in no yes; do
    tracepipe -q --sink list:format=json,batches=$batches -r in no-such-file >got 2>/dev/null ||
        echo $?
    sed -E 's/"minor".*"error"/..."error"/;s/"generations".*/.../' got
done
tracepipe --list -v in/a.txt no-such-file in/c.empty 2>/dev/null || echo $?
# What other sinks do not take has its row all the same.
tracepipe --sink list -o rows --sink events:model=v1 in/e.trace in/b.trace >/dev/null || echo $?
sed -E 's/ +/ /g' rows
