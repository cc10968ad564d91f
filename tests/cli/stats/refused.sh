# Every input has its row, those that are no traces, too, and says what became of it.
mkdir -p in
cp "$DATA/go126-user.trace" in/b.trace
head -c 5000 "$DATA/go126-gens.trace" >in/f.trace
echo letter >in/a.txt
: >in/c.empty
cp "$DATA/go122-chan.trace" in/=d.trace
echo letter >in/=g.txt
tracepipe --sink stats:format=state -q -o in/z.stats in/b.trace in/a.txt || echo $?

for form in text csv json; do
    echo "counts, $form"
    tracepipe -q --sink stats:level=counts,format=$form -r in no-such-file >got 2>/dev/null || echo $?
    case $form in
    text) sed -n '/^in.a/,/^in.b/p;/^in.c/,/^in.f/p;/^in.z/,/^total/p' got ;;
    csv) grep -aE '^[^,]*,(version|status|complete(_count)?|error|refused_count),' got ;;
    json) sed -E 's/"version".*"error"/..."error"/;s/"events_by_type".*/.../' got ;;
    esac
done

tracepipe -q --sink stats:format=json -r in no-such-file >got 2>/dev/null || echo $?
grep -aE '"trace".*"status"' got | sed -E 's/"events".*/.../'
tracepipe -q --sink stats:by=trace -r in no-such-file 2>/dev/null || echo $?
tracepipe -q --sink stats:by=trace,top=1 -r in no-such-file 2>/dev/null || echo $?
tracepipe -q --sink stats:by=trace,filter=.txt -r in no-such-file 2>/dev/null || echo $?
tracepipe -q --sink stats:format=csv -r in no-such-file >got 2>/dev/null || echo $?
grep -aE '^(refused|trace,.*,events),|refused' got

# States keep them, in whatever order and grouping inputs come.
tracepipe -q --sink stats:format=state -o all.stats -r in no-such-file 2>/dev/null || echo $?
for parts in 'in/b.trace no-such-file' 'in/z.stats in/f.trace in/=d.trace' 'in/c.empty in/a.txt in/=g.txt'; do
    tracepipe -q --sink stats:format=state -o "part$((++n)).stats" $parts 2>/dev/null || echo $?
done
tracepipe --sink stats:format=state -o sum.stats part3.stats part1.stats part2.stats
cmp sum.stats all.stats
tracepipe --sink stats:format=csv sum.stats | cmp - got

# Of inputs that were all refused, too.
tracepipe -q --sink stats:format=state -o none.stats in/a.txt no-such-file 2>/dev/null || echo $?
tracepipe -q --sink stats:format=state none.stats | cmp - none.stats
tracepipe -q --sink stats:format=state -o a.stats in/a.txt 2>/dev/null || echo $?
tracepipe -q --sink stats:format=state -o both.stats no-such-file a.stats 2>/dev/null || echo $?
cmp both.stats none.stats

# A state that is cut short, and one that is changed, are refused, too.
head -c 300 all.stats >cut.stats
sed 's/b.trace/x.trace/' all.stats >changed.stats
tracepipe -q --sink stats:format=csv cut.stats changed.stats in/=d.trace >got 2>/dev/null || echo $?
grep -aE '^(refused|trace,.*,events),|refused' got
# One that Go does not read to its end leaves nothing.
tracepipe --strict --sink stats:format=csv in/f.trace in/b.trace >got || echo $?
grep -aE '^(refused|trace,.*,events),|refused' got
# A trace that cannot tell the time of day is left out where a window asks for it.
tracepipe -q --tz UTC --from '2026-01-01 00:00' --sink stats:by=trace in/=d.trace in/b.trace 2>/dev/null || echo $?
