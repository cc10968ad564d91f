# Go's tracer tells that a P runs before it tells that it starts, if acquiring the P flushes a cache.
# The status is believed, no data is lost; with --strict it is refused, as by Go. Where no start
# follows, something is missing.
cat >doubt.txt <<'TRACE'
Trace Go1.26
EventBatch gen=1 m=18446744073709551615 time=100 size=17
Sync
Frequency freq=1000000000
ClockSnapshot dt=1 mono=1000 sec=1700000000 nsec=0
EventBatch gen=1 m=7 time=110 size=4
ProcStatus dt=1 p=3 pstatus=2
EndOfGeneration
EventBatch gen=2 m=18446744073709551615 time=200 size=17
Sync
Frequency freq=1000000000
ClockSnapshot dt=1 mono=1100 sec=1700000000 nsec=100
EventBatch gen=2 m=8 time=210 size=14
ProcStatus dt=1 p=3 pstatus=1
HeapAlloc dt=1 heapalloc_value=4096
ProcStart dt=1 p=3 p_seq=1
ProcStop dt=5
EndOfGeneration
TRACE
sed '/^ProcStart/d; s/size=14/size=10/' doubt.txt >missing.txt
tracepipe --sink events doubt.txt
tracepipe --salvage generation --sink events doubt.txt 2>/dev/null | tail -n 4
tracepipe --strict --sink events doubt.txt && exit 9 || echo "strict: $?"
tracepipe --sink events missing.txt || echo "missing: $?"
