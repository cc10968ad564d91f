# What a killed run leaves beside its outputs is removed by the next one that writes there.
"$SYNTH" --seed 1 --generations 4 --gen-events 100000 >part
mkfifo in
mkdir -p out/deep other
exec 4<>in
"$TRACEPIPE" --sink text -o out/a.txt --sink raw -o other/a.raw in &
pid=$!
cat part >&4
for _ in $(seq 500); do
    [ "$(find . -name '.a.*.tmp' -size +0 | wc -l)" != 2 ] || break
    sleep 0.01
done
status=0
{ kill -KILL $pid; wait $pid; } 2>/dev/null || status=$?
echo $status
exec 4>&-
find . -name '.a.*.tmp' | sed 's/-[0-9a-z]*.tmp/-XXXXXX.tmp/' | sort
# A name that looks the same but for a letter, and no file at all.
touch out/.b.tracepipe-ABCDEF.tmp out/.notes.backup.tmp
mkdir out/.c.tracepipe-abcdef.tmp
ln -s ../part out/.d.tracepipe-abcdef.tmp
tracepipe --sink text -o out/b.txt "$DATA/go126-user.trace"
echo --
find . -name '.*.tmp' | sed 's/-[0-9a-z]*.tmp/-XXXXXX.tmp/' | sort
# The manifest's folder, and that of a report, count too.
tracepipe --manifest other/run.json -o out/report "$DATA/go126-user.trace"
ls -A other
