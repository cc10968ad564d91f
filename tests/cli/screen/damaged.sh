# What stands out in damaged traces, or cut ones, holds as far as they could be read, and says so: on
# the first screen, in the view of all that is known, in JSON, and through states.
cut() { zstd -qdc "$2" >whole && head -c $(($(stat -c %s whole) * $1 / 100)) whole; }
break() { # in a batch in the middle
    zstd -qdc "$2" >whole && half=$(($(stat -c %s whole) / 2)) &&
        { head -c $half whole; head -c 400 /dev/zero; tail -c +$((half + 401)) whole; }
}
from=$DATA/../../findings/data
cut 70 "$from"/005*.zst >few-cut.trace
cut 70 "$from"/012*.zst >gc-cut.trace
break 50 "$from"/005*.zst >few-broken.trace
zstd -qdc "$from"/005*.zst >few.trace
zstd -qdc "$from"/001*.zst >slow.trace
cut 90 "$from"/014*.zst >healthy.cut
rm whole
shown() { tracepipe "$@" 2>/dev/null || true; }
for columns in 80 100; do
    echo "= $columns columns: one trace, cut and broken"
    for trace in few-cut gc-cut few-broken; do
        shown --screen ${columns}x24 $trace.trace | sed -n 2,7p
    done
    echo '= a healthy trace of which the names are lost'
    shown --screen ${columns}x24 healthy.cut | sed -n 3,6p
    echo '= some of several'
    shown --screen ${columns}x24 *.trace | sed -n 1,13p
    echo '= all that is known'
    shown --screen ${columns}x24 --sink stats:by=finding few-cut.trace | sed -n 2,8p
    shown --screen ${columns}x24 --sink stats:by=finding,top=2 few*.trace gc*.trace | sed -n 2,29p
    shown --screen ${columns}x24 --sink stats:by=trace *.trace
done
echo '= JSON, and through states'
fields() { tr '{' '\n' | sed -n 's/.*"\(kind\)":"\([a-z_]*\)","value":[0-9.]*,"unit.*/\2/p
    s/.*\("trace_count":[0-9]*,"damaged_trace_count":[0-9]*,"analysed_count":[0-9]*\).*/\1/p
    s/.*"trace":\("[^"]*"\),"status.*\("has_damage":[a-z]*\).*/\1 \2/p'; }
shown --sink stats:format=json *.trace | tee direct.json | fields
shown --sink stats:format=state few*.trace >some.stats
shown --sink stats:format=state slow.trace gc-cut.trace >others.stats
shown --sink stats:format=json others.stats some.stats | cmp - direct.json
echo '= a file that is named twice, alone and beside another one'
tracepipe --screen 80x24 few.trace few.trace | sed -n 1,5p
shown --screen 80x24 few.trace few.trace few-cut.trace | sed -n 1,6p
tracepipe -q --sink stats:by=finding few.trace few.trace | grep -E 'traces|found|few.trace'
