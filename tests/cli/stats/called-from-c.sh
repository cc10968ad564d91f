# Goroutines that the runtime makes for threads of C code are known by how they begin or end, although no
# stack shows it: 5 is created in a system call; 7, from before the trace, ends in one. 8 does neither.
awk -f "$DATA/../../cli/sized.awk" <<TEXT | tracepipe --sink raw -o new.trace -
Trace Go1.25
EventBatch gen=1 m=18446744073709551615 time=1000
Sync
Frequency freq=15625000
ClockSnapshot dt=2 mono=64128 sec=1700000000 nsec=500000000
EventBatch gen=1 m=101 time=1010
ProcStatus dt=1 p=0 pstatus=1
GoCreateSyscall dt=2 new_g=5
GoSyscallEndBlocked dt=4
GoStart dt=1 g=5 g_seq=1
GoSyscallBegin dt=20 p_seq=1 stack=0
GoDestroySyscall dt=100
EventBatch gen=1 m=102 time=1020
GoStatus dt=1 g=7 m=102 gstatus=3
GoDestroySyscall dt=50
EventBatch gen=1 m=103 time=1020
GoStatus dt=1 g=8 m=103 gstatus=3
EventBatch gen=1 m=18446744073709551615 time=1311
Stacks
EventBatch gen=1 m=18446744073709551615 time=1313
Strings
TEXT
names() {
    tracepipe --sink stats:by=goroutine,top=0 "$1" | sed '1,/^goroutines with/d'
}
names new.trace
# Go 1.21 creates them without a start function, and in a system call. The others that live when the trace
# begins have the start function of their creation: 2, and 3 in a system call. Of 4 it is not known.
tracepipe --sink raw -o old.trace - <<TEXT
Trace Go1.21
Batch p=1 ticks=1000
GoCreate dt=4 g=1 new_stack=2 stack=1
GoCreate dt=4 g=17 new_stack=3 stack=1
GoInSyscall dt=3 g=17
GoCreate dt=4 g=2 new_stack=4 stack=1
GoWaiting dt=3 g=2
GoCreate dt=4 g=3 new_stack=5 stack=1
GoInSyscall dt=3 g=3
GoCreate dt=4 g=4 new_stack=3 stack=1
GoWaiting dt=3 g=4
ProcStart dt=2 thread=0
GoStartLocal dt=3 g=1
Gomaxprocs dt=4 procs=2 stack=1
GoCreate dt=9 g=34 new_stack=3 stack=1
GoInSyscall dt=2 g=34
GoSysCall dt=5 stack=1
String id=1
	data="main.main"
String id=2
	data="main.go"
String id=3
	data="runtime.main"
String id=4
	data="runtime.bgsweep"
String id=5
	data="main.read"
Stack id=1 nframes=1 pad=9
	pc=11 func=1 file=2 line=3
Stack id=2 nframes=1 pad=9
	pc=12 func=3 file=2 line=4
Stack id=3 nframes=1 pad=9
	pc=0 func=0 file=0 line=0
Stack id=4 nframes=1 pad=9
	pc=13 func=4 file=2 line=5
Stack id=5 nframes=1 pad=9
	pc=14 func=5 file=2 line=6
Frequency freq=1000000
TEXT
names old.trace
