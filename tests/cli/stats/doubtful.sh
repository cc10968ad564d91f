# A trace whose clock is in doubt: told alone, with a warning; left out and listed beside others;
# with them if asked for; all of it the same by way of states.
full() { tracepipe --sink "stats:level=full,$1" "${@:2}"; }
sed 's/^\(EventBatch gen=2 m=104 time=\)1420/\1140000000000000000/' "$DATA/hand.txt" >late.txt
tracepipe --sink raw -o late.trace late.txt
cp "$DATA/go126-user.trace" "$DATA/go126-few-ps.trace" .
full top=1 late.trace | sed -n 1,5p
full format=json late.trace | grep -A1 '"inconsistent_clocks"' | cut -c 1-150
full top=1 late.trace go126-user.trace go126-few-ps.trace | sed -n 1,5p
full format=json late.trace go126-user.trace | grep -A1 '"inconsistent_clocks"' | cut -c 1-150
full format=csv late.trace go126-user.trace | grep -aE '^inconsistent_clock.*,(events|duration_ns),|^total,,,(trace_count|duration_ns)'
full format=csv,clocks=all late.trace go126-user.trace |
    grep -aE '^inconsistent_clock.*,(events|duration_ns),|^total,,,(trace_count|duration_ns)'
# What is left out is as if it was not there, but for the list.
full format=csv go126-user.trace go126-few-ps.trace >sound.csv
full format=csv late.trace go126-user.trace go126-few-ps.trace | grep -av '^inconsistent_clock' | cmp - sound.csv
# Beside what is no trace it is alone.
echo letter >letter.txt
full top=1 late.trace letter.txt | sed -n 1,4p || echo refused
# States.
full format=state -o late.state late.trace
full format=state -o user.state go126-user.trace
full format=state -o two.state late.trace go126-few-ps.trace
full format=state -o all.state late.trace go126-few-ps.trace go126-user.trace
full format=state user.state two.state | cmp - all.state
full format=state all.state | cmp - all.state
for form in csv csv,clocks=all json json,clocks=all text text,clocks=all; do
    full format=$form go126-user.trace late.trace go126-few-ps.trace >want
    full format=$form all.state | cmp - want
    full format=$form two.state user.state | cmp - want
    full format=$form user.state late.state go126-few-ps.trace | cmp - want
done
full top=1 late.state | sed -n 1,3p
full format=csv late.trace >want
full format=csv late.state | cmp - want
full format=csv late.state late.state | grep -a '^total,,,\(trace_count\|dur\)'
# A state has everything.
full format=state,clocks=all late.trace || echo $?
tracepipe --sink stats:level=counts,clocks=all late.trace || echo $?
