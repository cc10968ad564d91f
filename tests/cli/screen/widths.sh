# No line of a table is wider than the terminal, or than 100 columns without one, from 80 columns on.
# Only commands may be, which are no use if they are cut.
cd "$DATA/../../findings/data"
wide() { LC_ALL=C.UTF-8 sed 's/[^ -~]/./g' | awk -v of="$1" -v what="$2" '!/^ *\$ tracepipe / && length > of {
    print what ", " of " columns: a line of " length }'; }
for columns in 80 100 120 160; do
    for by in all trace function goroutine task region stack waker; do
        tracepipe --screen ${columns}x24 --all --sink stats:by=$by *.zst | wide $columns $by
    done
done
for by in all trace goroutine; do
    (cd "$DATA" && tracepipe --sink stats:by=$by *.trace) | wide 100 $by
done
echo '= what is left out, by width'
for columns in 80 100 120 160; do
    tracepipe --screen ${columns}x24 --sink stats:by=function,top=2 00[5-7]*.zst
    tracepipe --screen ${columns}x24 --sink stats:by=trace 00[5-7]*.zst | sed 1,2d
done
echo '= a time zone, refused inputs and stacks in 80 columns'
tracepipe --tz Asia/Kolkata --screen 165x24 --sink stats:by=trace 00[5-7]*.zst | sed -n '4,$p'
cp 006*.zst "$OLDPWD"
cd "$OLDPWD"
head -c 20000 "$SYNTH" >a-program-with-a-name-that-is-much-longer-than-a-column
tracepipe --screen 80x24 --sink stats:by=trace a-* 006*.zst 2>/dev/null || true
tracepipe --screen 80x24 --sink stats:by=stack,top=2,filter=quotes 006*.zst
tracepipe --screen 80x24 --sink stats:by=goroutine,top=3 006*.zst
