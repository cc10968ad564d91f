# How many events were believed against others is in the totals, and goes into a state.
trace() {
    cat <<TRACE
Trace Go1.26
EventBatch gen=1 m=18446744073709551615 time=100 size=17
Sync
Frequency freq=1000000000
ClockSnapshot dt=1 mono=1000 sec=1700000000 nsec=0
EventBatch gen=1 m=7 time=110 size=8
ProcStatus dt=1 p=3 pstatus=2
ProcStatus dt=1 p=4 pstatus=2
EndOfGeneration
EventBatch gen=2 m=18446744073709551615 time=200 size=17
Sync
Frequency freq=1000000000
ClockSnapshot dt=1 mono=1100 sec=1700000000 nsec=100
EventBatch gen=2 m=8 time=210 size=8
ProcStatus dt=10 p=$1 pstatus=1
ProcStart dt=10 p=$1 p_seq=1
EventBatch gen=2 m=9 time=215 size=8
ProcStatus dt=15 p=$2 pstatus=1
ProcStart dt=15 p=$2 p_seq=1
EndOfGeneration
TRACE
}
trace 3 4 >a.txt
trace 4 3 >b.txt
tracepipe -q --sink stats:level=full a.txt b.txt | sed -n 1,2p
tracepipe -q --sink stats:level=full,format=csv a.txt b.txt | grep doubt_count
tracepipe -q --sink stats:level=full,format=state a.txt >a.state
tracepipe -q --sink stats:level=full,format=json a.txt b.txt >direct.json
tracepipe -q --sink stats:level=full,format=json a.state b.txt >summed.json
cmp direct.json summed.json
grep -oE '"(damaged|doubt)_count":[0-9]+' direct.json
# Each P runs from its status on, and its start counts no second one: 26 ns and 15 ns to the end.
grep -oE '"procs_ns":[^,]*' direct.json
