# Waits that had begun before the trace: their stacks come from status events, and their reasons from the
# functions on top of these; `events` prints what the trace has. One has a stack that tells no reason,
# one ends before any status event has a stack, and two are of the second generation, too.
tracepipe --sink raw -o parked.trace - <<TEXT
Trace Go1.26

EventBatch gen=1 m=18446744073709551615 time=1000 size=21
Sync
Frequency freq=15625000
ClockSnapshot dt=2 mono=64128 sec=1700000000 nsec=500000000

EventBatch gen=1 m=101 time=1010 size=28
ProcStatus dt=1 p=0 pstatus=1
GoStatus dt=1 g=1 m=101 gstatus=2
GoStatus dt=8 g=6 m=18446744073709551615 gstatus=4
GoUnblock dt=1 g=6 g_seq=1 stack=5

EventBatch gen=1 m=18446744073709551615 time=1300 size=75
GoStatusStack dt=1 g=2 m=18446744073709551615 gstatus=4 stack=1
GoStatusStack dt=1 g=3 m=18446744073709551615 gstatus=4 stack=1
GoStatusStack dt=1 g=4 m=18446744073709551615 gstatus=4 stack=2
GoStatusStack dt=1 g=5 m=18446744073709551615 gstatus=4 stack=3
GoStatusStack dt=1 g=7 m=18446744073709551615 gstatus=4 stack=4

EventBatch gen=1 m=18446744073709551615 time=1311 size=117
Stacks
Stack id=1 nframes=4
	pc=101 func=1 file=2 line=462
	pc=102 func=3 file=4 line=283
	pc=103 func=5 file=4 line=161
	pc=104 func=6 file=7 line=16
Stack id=2 nframes=9
	pc=105 func=1 file=2 line=462
	pc=106 func=8 file=2 line=468
	pc=107 func=9 file=10 line=192
	pc=108 func=11 file=10 line=95
	pc=109 func=12 file=13 line=149
	pc=110 func=14 file=13 line=70
	pc=111 func=15 file=13 line=46
	pc=112 func=16 file=7 line=30
	pc=113 func=17 file=7 line=40
Stack id=3 nframes=3
	pc=114 func=18 file=19 line=140
	pc=115 func=20 file=21 line=300
	pc=116 func=22 file=7 line=50
Stack id=4 nframes=5
	pc=117 func=1 file=2 line=462
	pc=118 func=23 file=24 line=575
	pc=119 func=25 file=24 line=351
	pc=120 func=26 file=27 line=380
	pc=121 func=28 file=7 line=60
Stack id=5 nframes=1
	pc=122 func=28 file=7 line=70

EventBatch gen=1 m=18446744073709551615 time=1313 size=512
Strings
String id=1
	data="runtime.gopark"
String id=2
	data="proc.go"
String id=3
	data="runtime.chansend"
String id=4
	data="chan.go"
String id=5
	data="runtime.chansend1"
String id=6
	data="main.send"
String id=7
	data="main.go"
String id=8
	data="runtime.goparkunlock"
String id=9
	data="runtime.semacquire1"
String id=10
	data="sema.go"
String id=11
	data="internal/sync.runtime_SemacquireMutex"
String id=12
	data="internal/sync.(*Mutex).lockSlow"
String id=13
	data="mutex.go"
String id=14
	data="internal/sync.(*Mutex).Lock"
String id=15
	data="sync.(*Mutex).Lock"
String id=16
	data="main.get"
String id=17
	data="main.serve"
String id=18
	data="runtime.coroswitch"
String id=19
	data="coro.go"
String id=20
	data="iter.Pull[...].func2"
String id=21
	data="iter.go"
String id=22
	data="main.pull"
String id=23
	data="runtime.netpollblock"
String id=24
	data="netpoll.go"
String id=25
	data="internal/poll.runtime_pollWait"
String id=26
	data="net.(*TCPListener).Accept"
String id=27
	data="tcpsock.go"
String id=28
	data="main.main"

EndOfGeneration

EventBatch gen=2 m=18446744073709551615 time=1400 size=21
Sync
Frequency freq=15625000
ClockSnapshot dt=2 mono=89728 sec=1700000000 nsec=500000000

EventBatch gen=2 m=101 time=1410 size=47
ProcStatus dt=1 p=0 pstatus=1
GoStatus dt=1 g=1 m=101 gstatus=2
GoStatus dt=100 g=2 m=18446744073709551615 gstatus=4
GoUnblock dt=1 g=2 g_seq=1 stack=1
GoStatus dt=100 g=4 m=18446744073709551615 gstatus=4
GoUnblock dt=1 g=4 g_seq=1 stack=1

EventBatch gen=2 m=18446744073709551615 time=1700 size=56
GoStatus dt=1 g=3 m=18446744073709551615 gstatus=4
GoStatus dt=1 g=5 m=18446744073709551615 gstatus=4
GoStatus dt=1 g=6 m=18446744073709551615 gstatus=1
GoStatus dt=1 g=7 m=18446744073709551615 gstatus=4

EventBatch gen=2 m=18446744073709551615 time=1311 size=8
Stacks
Stack id=1 nframes=1
	pc=101 func=1 file=2 line=70

EventBatch gen=2 m=18446744073709551615 time=1313 size=23
Strings
String id=1
	data="main.main"
String id=2
	data="main.go"

EndOfGeneration
TEXT
tracepipe --sink events parked.trace | grep -c 'Waiting Reason=""'
tracepipe --sink stats:by=function parked.trace | sed -n '/^goroutine time/,/^$/p; /^blocked/,/^$/p'
tracepipe --sink stats:by=stack parked.trace | sed 1,3d
echo 'for programs'
tracepipe --sink stats:format=json parked.trace >json
grep -o '"function":"[^"]*","states\|"reason":""[^]]*]' json
sed -n '/^"waits_since_before"/,/^"stacks"/p' json | sed 's/,"frames".*//'
tracepipe --sink stats:format=csv parked.trace | grep 'block,\|^stack'
echo 'filtered'
tracepipe --sink stats:format=csv,filter=send parked.trace | grep 'block,\|^stack'
tracepipe --sink stats:format=json,filter=network parked.trace | grep -o '"reason":"[^]]*]'
echo 'as a sum'
tracepipe --sink stats:format=state -o state parked.trace
tracepipe --sink stats:format=json state | cmp json -
