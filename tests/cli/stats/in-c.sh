# Time in C code is told from system calls by the stacks, whose place is the Go function that calls; text
# names goroutines of C threads.
tracepipe --sink raw -o c.trace - <<TEXT
Trace Go1.26

EventBatch gen=1 m=18446744073709551615 time=1000 size=21
Sync
Frequency freq=15625000
ClockSnapshot dt=2 mono=64128 sec=1700000000 nsec=500000000

EventBatch gen=1 m=101 time=1010 size=25
ProcStatus dt=1 p=0 pstatus=1
GoStatus dt=1 g=1 m=101 gstatus=2
GoSyscallBegin dt=10 p_seq=1 stack=1
GoSyscallEnd dt=100
GoSyscallBegin dt=10 p_seq=2 stack=2
GoSyscallEnd dt=40
GoSyscallBegin dt=10 p_seq=3 stack=1

EventBatch gen=1 m=102 time=1020 size=31
ProcStatus dt=1 p=1 pstatus=1
GoCreateSyscall dt=2 new_g=5
GoSyscallEndBlocked dt=4
GoStart dt=1 g=5 g_seq=1
GoBlock dt=20 reason_string=1 stack=4
GoUnblock dt=10 g=5 g_seq=2 stack=0
GoStart dt=4 g=5 g_seq=3
GoBlock dt=300 reason_string=1 stack=4

EventBatch gen=1 m=18446744073709551615 time=1311 size=60
Stacks
Stack id=1 nframes=3
	pc=101 func=2 file=3 line=41
	pc=102 func=4 file=5 line=34
	pc=103 func=6 file=5 line=45
Stack id=2 nframes=4
	pc=104 func=7 file=8 line=964
	pc=105 func=9 file=10 line=215
	pc=106 func=4 file=5 line=36
	pc=107 func=6 file=5 line=45
Stack id=3 nframes=1
	pc=108 func=11 file=12 line=1
Stack id=4 nframes=3
	pc=109 func=13 file=14 line=360
	pc=110 func=15 file=5 line=20
	pc=111 func=11 file=12 line=1

EventBatch gen=1 m=18446744073709551615 time=1313 size=213
Strings
String id=1
	data="sleep"
String id=2
	data="main._Cfunc_busy"
String id=3
	data="_cgo_gotypes.go"
String id=4
	data="main.compute"
String id=5
	data="main.go"
String id=6
	data="main.main"
String id=7
	data="syscall.write"
String id=8
	data="zsyscall.go"
String id=9
	data="os.(*File).Write"
String id=10
	data="file.go"
String id=11
	data="runtime.cgocallback"
String id=12
	data="asm.s"
String id=13
	data="time.Sleep"
String id=14
	data="time.go"
String id=15
	data="main.goCallback"

EndOfGeneration
TEXT
tracepipe --sink stats:by=function c.trace | sed -n '/^goroutine time/,/^$/p; /^system calls/,/^$/p'
tracepipe --sink stats:by=stack c.trace | sed -n '/^system calls/,/^$/p'
tracepipe --sink stats:by=goroutine c.trace | grep -c 'called from C'
echo 'for programs'
tracepipe --sink stats:format=json c.trace >json
grep -o '"function":"[^"]*","states\|"syscall":{[^}]*}' json
sed -n '/^"stacks"/,$s/,"frames".*//p' json
echo 'with a filter all are system calls'
tracepipe --sink stats:by=function,filter=main.main c.trace | sed -n '/^goroutine time/,/^$/p'
