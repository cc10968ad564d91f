# Runs that a record cannot hold, and files that are no record.
cp "$DATA"/go126-user.trace a.trace
for args in 'a.trace' '--sink text a.trace' '--sink list a.trace' '--sink stats:detail=yes a.trace' \
    '--sink pprof:labels=yes -o p.gz a.trace' '--sink zstd -o out - ' '--sink stats a.trace a.trace' \
    '--sink zstd -o out.zst --skip-existing a.trace' '--sink zstd -o record a.trace' '--sink zstd -o out.zst record'; do
    echo "== $args"
    tracepipe --resume record $args </dev/null >/dev/null || echo $?
done
ls
tracepipe --rehash a.trace || echo $?
tracepipe --resume a.trace --sink zstd -o out.zst a.trace || echo $?
echo '{"schema": "other"}' >text
tracepipe --resume text --sink zstd -o out.zst a.trace || echo $?
tracepipe --resume . --sink zstd -o out.zst a.trace || echo $?
tracepipe --resume none/record --sink zstd -o out.zst a.trace || echo $?
# One run at a time.
flock record "$TRACEPIPE" --resume record --sink zstd -o out.zst a.trace || echo $?
# A line without its end, and zeroes, are cut off; a damaged line in the middle is skipped.
rm record*
tracepipe --resume record --sink zstd -o out.zst a.trace
size=$(wc -c <record)
printf '{"kind": "intent", "size' >>record
head -c 100 /dev/zero >>record
tracepipe -v --resume record --sink zstd -o out.zst a.trace 2>&1 | grep 'not read'
head -c "$size" record | cmp - <(head -c "$size" record)
grep -c intent record
sed -i '2s/.*/{"kind": 1}/' record
tracepipe --resume record --sink zstd -o out.zst a.trace
