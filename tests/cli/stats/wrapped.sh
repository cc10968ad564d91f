# Goroutines whose start function is a wrapper, by the function of the program that it calls: of two tests,
# one behind the compiler's wrapper, of a third that never stops, and of a connection that shows its handler
# in the second generation only, and then another one.
# The stacks and strings of a generation.
tables() { # GENERATION
    cat <<TEXT
EventBatch gen=$1 m=18446744073709551615 time=1311 size=127
Stacks
Stack id=1 nframes=5
	pc=101 func=3 file=4 line=360
	pc=102 func=5 file=6 line=9
	pc=103 func=7 file=6 line=12
	pc=104 func=8 file=9 line=1934
	pc=105 func=10 file=9 line=2000
Stack id=2 nframes=3
	pc=106 func=3 file=4 line=360
	pc=107 func=11 file=6 line=22
	pc=108 func=8 file=9 line=1934
Stack id=3 nframes=2
	pc=109 func=12 file=13 line=10
	pc=110 func=14 file=15 line=2067
Stack id=4 nframes=5
	pc=111 func=3 file=4 line=360
	pc=112 func=16 file=17 line=30
	pc=113 func=18 file=17 line=40
	pc=114 func=19 file=15 line=2286
	pc=115 func=14 file=15 line=2067
Stack id=5 nframes=4
	pc=116 func=3 file=4 line=360
	pc=117 func=20 file=17 line=50
	pc=118 func=19 file=15 line=2286
	pc=119 func=14 file=15 line=2067
Stack id=6 nframes=1
	pc=120 func=21 file=22 line=70
Stack id=7 nframes=1
	pc=121 func=8 file=9 line=1934
Stack id=8 nframes=1
	pc=122 func=14 file=15 line=2067

EventBatch gen=$1 m=18446744073709551615 time=1313 size=404
Strings
String id=1
	data="sleep"
String id=2
	data="network"
String id=3
	data="time.Sleep"
String id=4
	data="time.go"
String id=5
	data="example.org/app.helper"
String id=6
	data="a_test.go"
String id=7
	data="example.org/app.TestOne"
String id=8
	data="testing.tRunner"
String id=9
	data="testing.go"
String id=10
	data="testing.(*T).Run.gowrap1"
String id=11
	data="example.org/app.TestTwo"
String id=12
	data="bufio.(*Reader).Peek"
String id=13
	data="bufio.go"
String id=14
	data="net/http.(*conn).serve"
String id=15
	data="server.go"
String id=16
	data="main.handle"
String id=17
	data="main.go"
String id=18
	data="main.logged"
String id=19
	data="net/http.HandlerFunc.ServeHTTP"
String id=20
	data="main.late"
String id=21
	data="golang.org/x/sync/errgroup.(*Group).Go.func1"
String id=22
	data="errgroup.go"
TEXT
}
tracepipe --sink raw -o w.trace - <<TEXT
Trace Go1.26

EventBatch gen=1 m=18446744073709551615 time=1000 size=21
Sync
Frequency freq=15625000
ClockSnapshot dt=2 mono=64128 sec=1700000000 nsec=500000000

EventBatch gen=1 m=101 time=1010 size=85
ProcStatus dt=1 p=0 pstatus=1
GoStatus dt=1 g=1 m=101 gstatus=2
GoCreate dt=1 new_g=10 new_stack=7 stack=0
GoCreate dt=1 new_g=11 new_stack=7 stack=0
GoCreate dt=1 new_g=12 new_stack=7 stack=0
GoCreate dt=1 new_g=13 new_stack=8 stack=0
GoCreate dt=1 new_g=14 new_stack=6 stack=0
GoBlock dt=5 reason_string=1 stack=0
GoStart dt=2 g=10 g_seq=1
GoBlock dt=9 reason_string=1 stack=1
GoStart dt=2 g=11 g_seq=1
GoBlock dt=9 reason_string=1 stack=2
GoStart dt=2 g=13 g_seq=1
GoBlock dt=9 reason_string=2 stack=3
GoStart dt=2 g=12 g_seq=1
GoDestroy dt=7
GoStart dt=1 g=14 g_seq=1
GoDestroy dt=3
GoUnblock dt=40 g=10 g_seq=2 stack=0
GoStart dt=2 g=10 g_seq=3
GoDestroy dt=6

$(tables 1)

EndOfGeneration

EventBatch gen=2 m=18446744073709551615 time=1400 size=21
Sync
Frequency freq=15625000
ClockSnapshot dt=2 mono=89728 sec=1700000000 nsec=500000000

EventBatch gen=2 m=101 time=1410 size=44
ProcStatus dt=1 p=0 pstatus=1
GoStatus dt=1 g=13 m=18446744073709551615 gstatus=4
GoUnblock dt=30 g=13 g_seq=1 stack=0
GoStart dt=2 g=13 g_seq=2
GoBlock dt=9 reason_string=1 stack=4
GoUnblock dt=30 g=13 g_seq=3 stack=0
GoStart dt=2 g=13 g_seq=4
GoBlock dt=9 reason_string=1 stack=5

EventBatch gen=2 m=18446744073709551615 time=1700 size=28
GoStatus dt=1 g=1 m=18446744073709551615 gstatus=4
GoStatus dt=1 g=11 m=18446744073709551615 gstatus=4

$(tables 2)

EndOfGeneration
TEXT
wrapped() { # SINK
    tracepipe "$@" w.trace | sed -n '/^lifetime/,/^$/p; /^goroutines by/,/^$/p'
}
wrapped --sink stats:by=function
tracepipe --sink stats:by=function,filter=Test w.trace | sed -n '/^goroutines by/,/^$/p'
echo 'for programs'
tracepipe --sink stats:format=json w.trace >json
sed -n '/^"wrapped_functions"/,/^"tasks"/p' json | sed 's/"p50[^}]*\(,"cut_count"\)/...\1/g'
grep -o '^{"function":"[^"]*"' json
tracepipe --sink stats:by=function,format=csv w.trace | grep '^wrapped'
for speculate in never always; do
    tracepipe --speculate=$speculate -j2 --sink stats:format=json w.trace | cmp json -
done
echo 'as a sum'
tracepipe --sink stats:format=state -o state w.trace
tracepipe --sink stats:format=json state | cmp json -
tracepipe --sink stats:by=function state w.trace | sed -n '/^goroutines by/,/^$/p'
echo 'by more functions'
tracepipe --sink stats:by=function,depth=3 w.trace | sed -n '/^goroutines by/,/^$/p'
for depth in 1 2; do
    tracepipe --sink stats:by=function,format=csv,depth=$depth w.trace | grep '^wrapped.*,lifetime,' | cut -d, -f 2-4
done
tracepipe --sink stats:level=counts,depth=2 w.trace || echo $?
