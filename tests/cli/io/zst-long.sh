# Windows larger than what is in them, as `zstd --long` declares them for what it cannot see
# the end of, cost what is in them.
mkdir plain long longest
cp "$DATA/go126-user.trace" plain/a
zstd -q -19 --long <plain/a >long/a
zstd -q --ultra -20 --long=31 <plain/a >longest/a
for sink in stats:level=full,format=csv events text; do
    (cd plain && tracepipe --sink "$sink" a) | grep -av stored >want
    for bound in 0 64M; do
        for folder in long longest; do
            (cd $folder && tracepipe --max-memory $bound --sink "$sink" a) | grep -av stored >got
            diff got want
        done
    done
    rm want
done
# One that fills is refused where there is no room for it, at no fault of its own.
"$SYNTH" --generations 8 --gen-events 500000 >b.trace
zstd -q -1 --long <b.trace >long.zst
tracepipe --max-memory 24M --sink text -o b.txt long.zst 2>messages || echo $?
sed -E 's/[0-9]+ KiB/N KiB/g' messages >&2
ls b.txt 2>/dev/null || echo no output
# Whether there is room does not depend on who else works.
status_of() {
    local status=0
    tracepipe -j "$1" --max-memory "$2" --sink raw -o /dev/null long.zst 2>/dev/null || status=$?
    echo $status
}
for bound in 32M 48M 96M 160M; do
    want=$(status_of 1 $bound)
    for jobs in 3 16; do
        [ "$(status_of $jobs $bound)" = "$want" ] || echo "$bound: -j$jobs is not -j1"
    done
done
# Beyond what any reader takes: no bound helps.
printf '\50\265\57\375\0\377\1\0\0' >beyond.zst
tracepipe beyond.zst >/dev/null || echo $?
