# Events of a task, of its children, and of goroutines while they work for them, with who woke these. A
# child belongs to a task that has ended, too, and another task may have the same name.
cat >tasks.txt <<'TRACE'
Trace Go1.26
EventBatch gen=1 m=18446744073709551615 time=100 size=17
Sync
Frequency freq=1000000000
ClockSnapshot dt=1 mono=1000 sec=1700000000 nsec=0
EventBatch gen=1 m=7 time=110 size=83
ProcStatus dt=1 p=0 pstatus=1
GoStatus dt=1 g=1 m=7 gstatus=2
UserTaskBegin dt=1 task=1 parent_task=0 name_string=1 stack=0
GoCreate dt=1 new_g=5 new_stack=0 stack=0
GoBlock dt=1 reason_string=2 stack=0
GoStart dt=1 g=5 g_seq=1
UserLog dt=1 task=0 key_string=2 value_string=2 stack=0
UserRegionBegin dt=1 task=1 name_string=2 stack=0
UserTaskEnd dt=1 task=1 stack=0
UserTaskBegin dt=1 task=2 parent_task=1 name_string=2 stack=0
HeapAlloc dt=1 heapalloc_value=4096
UserRegionEnd dt=1 task=1 name_string=2 stack=0
GoUnblock dt=1 g=1 g_seq=1 stack=0
UserTaskBegin dt=1 task=3 parent_task=0 name_string=1 stack=0
UserTaskEnd dt=1 task=2 stack=0
UserTaskEnd dt=1 task=3 stack=0
HeapAlloc dt=1 heapalloc_value=4096
GoDestroy dt=1
EventBatch gen=1 m=18446744073709551615 time=111 size=17
Strings
String id=1
	data="get a"
String id=2
	data="other"
EndOfGeneration
TRACE
for task in 1 2 3 4 'get a' get other; do
    echo "$task:"
    tracepipe --sink "events:task=$task" tasks.txt
done
# What began before the time window is found by its id, not by its name.
for task in 1 'get a'; do
    echo "$task, later:"
    tracepipe --sink "events:task=$task" --from 14ns tasks.txt
done
echo 'tables of tasks name this sink for tasks that end on another goroutine'
tracepipe --sink stats:by=task tasks.txt | sed -n '/^task time/,/^$/p'
tracepipe --screen 100x40 tasks.txt | sed -n '/^tasks/,/^$/p'
