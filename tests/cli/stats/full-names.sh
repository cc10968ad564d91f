# All time of a goroutine is under the best name that its stacks give: not under the function in
# which it was preempted, nor under a wrapper of the compiler.
cat >new.txt <<'TEXT'
Trace Go1.26
EventBatch gen=1 m=18446744073709551615 time=1000 size=21
Sync
Frequency freq=15625000
ClockSnapshot dt=2 mono=64128 sec=1700000000 nsec=500000000
EventBatch gen=1 m=101 time=1010 size=73
ProcStatus dt=1 p=0 pstatus=1
GoStatusStack dt=1 g=1 m=101 gstatus=2 stack=5
GoCreate dt=10 new_g=18 new_stack=1 stack=5
GoCreate dt=10 new_g=19 new_stack=3 stack=5
GoCreate dt=10 new_g=20 new_stack=0 stack=5
GoBlock dt=10 reason_string=8 stack=5
GoStart dt=10 g=18 g_seq=1
GoStop dt=10 reason_string=4 stack=2
GoStart dt=10 g=19 g_seq=1
GoStop dt=10 reason_string=4 stack=4
GoStart dt=10 g=18 g_seq=2
GoDestroy dt=10
GoStart dt=10 g=19 g_seq=2
GoDestroy dt=10
GoStart dt=10 g=20 g_seq=1
GoStop dt=10 reason_string=4 stack=2
GoStart dt=10 g=20 g_seq=2
GoBlock dt=10 reason_string=8 stack=6
EventBatch gen=1 m=18446744073709551615 time=1311 size=75
Stacks
Stack id=1 nframes=1
	pc=4198400 func=1 file=7 line=12
Stack id=2 nframes=2
	pc=4198464 func=3 file=7 line=30
	pc=4198404 func=2 file=7 line=14
Stack id=3 nframes=1
	pc=4198470 func=5 file=7 line=30
Stack id=4 nframes=2
	pc=4198480 func=6 file=7 line=30
	pc=4198470 func=5 file=7 line=30
Stack id=5 nframes=1
	pc=4198490 func=9 file=7 line=30
Stack id=6 nframes=1
	pc=4198404 func=1 file=7 line=14
EventBatch gen=1 m=18446744073709551615 time=1313 size=165
Strings
String id=1
	data="main.main.func3"
String id=2
	data="math/rand.(*rngSource).Seed"
String id=3
	data="runtime.asyncPreempt"
String id=4
	data="preempted"
String id=5
	data="main.start.gowrap1"
String id=6
	data="main.(*server).serve"
String id=7
	data="main.go"
String id=8
	data="chan receive"
String id=9
	data="main.main"
EndOfGeneration
TEXT
tracepipe --sink stats:level=full,format=csv new.txt | grep ^goroutine
