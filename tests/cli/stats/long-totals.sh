# Totals of more than 64 bits of nanoseconds: exact, and the same by way of states.
full() { tracepipe --sink "stats:level=full,$1" "${@:2}"; }
# A trace of 284 years.
sed 's/^\(EventBatch gen=2 m=104 time=\)1420/\1140000000000000000/' "$DATA/hand.txt" >late.txt
tracepipe --sink raw -o a.trace late.txt
cp a.trace b.trace
cp a.trace c.trace
full format=csv,clocks=all a.trace b.trace c.trace | grep -aE '^(total,.*duration|goroutine|time,0,|stack)'
full top=3,clocks=all a.trace b.trace c.trace | sed -n '1p; /goroutine time by state/,/^$/p'
full format=json,clocks=all a.trace b.trace c.trace | grep -o '"duration_ns":[0-9]*'
full format=state -o ab a.trace b.trace
full format=csv,clocks=all a.trace b.trace c.trace >want
full format=csv,clocks=all c.trace ab | cmp - want
tracepipe --sink stats:level=counts,format=json a.trace b.trace c.trace | grep -o '"duration_ns":[0-9]*'
tracepipe --sink stats:level=counts,format=csv a.trace b.trace c.trace | grep '^,duration_ns'
tracepipe --sink stats:level=counts a.trace b.trace c.trace | grep ' in all'
