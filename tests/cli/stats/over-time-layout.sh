# Several traces over time: by the wall clock where they overlap or follow each other and all tell the
# time of day, else by the time since each began.
cp "$DATA/go126-few-ps.trace" a.trace
cp a.trace b.trace
cp "$DATA/go126-user.trace" other-day.trace
cp "$DATA/go122-chan.trace" no-clock.trace
over_time() { # INPUT...
    tracepipe -q --sink stats:format=text "$@" | sed -n '/^over time/,/^ *GOMAXPROCS/p' >table
    awk 'NR < 4 || /no trace/ { print } { last = line; line = $0 } END { print last }' table
    tracepipe -q --sink stats:format=json "$@" | grep -o '"layout.*wall_trace_count":[0-9]*'
}
over_time a.trace b.trace
over_time --tz Asia/Kolkata a.trace b.trace
over_time a.trace
over_time a.trace other-day.trace
over_time a.trace b.trace no-clock.trace
echo 'parts of one trace'
for begin in 0 50 120; do
    tracepipe --sink stats:format=state -o $begin.tpstats --from ${begin}ms --to $((begin + 30))ms a.trace
done
over_time 0.tpstats 50.tpstats 120.tpstats
over_time 0.tpstats 120.tpstats
# Any order and grouping, through states.
tracepipe --sink stats:format=json 0.tpstats 50.tpstats 120.tpstats >want
tracepipe --sink stats:format=state -o two.tpstats 120.tpstats 0.tpstats
tracepipe --sink stats:format=json 50.tpstats two.tpstats | cmp - want
echo 'for programs'
tracepipe --sink stats:format=json a.trace other-day.trace | sed -n '/wall_buckets/,/\]}/p' | cut -c 1-110
tracepipe --sink stats:format=csv a.trace other-day.trace | grep '^wall_time' | cut -d , -f 2 | uniq
tracepipe --sink stats:format=json,by=task a.trace b.trace | grep '^"timeline'
