# Traces from before Go 1.5: times alone make the order, whatever the batches do.
put() { tracepipe -f --sink raw -o "$1.trace" -; }
put good <<'TEXT'
Trace Go1.4
Batch p=1 ticks=140
GoStart dt=0 g=2
GoBlockNet dt=10 stack=2
GoStart dt=60 g=3
GoEnd dt=40
Batch p=0 ticks=100
GoCreate dt=0 g=1 pc=4096 stack=1
GoCreate dt=1 g=2 pc=8192 stack=1
GoCreate dt=1 g=3 pc=8192 stack=0
GoCreate dt=1 g=4 pc=4096 stack=0
GoCreate dt=1 g=5 pc=4096 stack=0
GoWaiting dt=1 g=3
GoInSyscall dt=1 g=4
ProcStart dt=1
GoStart dt=1 g=1
Gomaxprocs dt=2 procs=2 stack=1
Batch p=1 ticks=120
ProcStart dt=0
Batch p=0 ticks=150
GCStart dt=5 stack=1
STWStart dt=1
STWDone dt=1
GCDone dt=1
GoSysCall dt=2 stack=2
GoSysBlock dt=6 stack=0
GoSysExit dt=1 g=4
GoStart dt=3 g=4
GoUnblock dt=5 g=3 stack=0
GoUnblock dt=5 g=2 stack=0
GoSysCall dt=5 stack=2
HeapAlloc dt=10 mem=1000
GoSysExit dt=10 g=1
Stack id=1 nframes=2 pad=0
	pc=4100
	pc=5100
Stack id=2 nframes=1 pad=0
	pc=8200
Frequency freq=100000000
TimerGoroutine g=4
TEXT
tracepipe --sink events good.trace
tracepipe --strict --sink events good.trace | cmp - <(tracepipe --sink events good.trace)
tracepipe --sink events --from 500ns --to 600ns good.trace | grep '^M='
tracepipe --sink null:until=order good.trace >got && grep -o '^order *[0-9]* *[0-9]*' got
tracepipe --sink stats:top=3 good.trace | sed -n 1,30p
tracepipe --sink stats:format=state -o good.stats good.trace
tracepipe --sink stats:top=3 good.stats | cmp - <(tracepipe --sink stats:top=3 good.trace)
tracepipe --sink stats:level=summary,format=go-summary good.trace >got && head -c 200 got
echo
# What no scheduler does: up to there, what is left out, and nothing at all.
put bad <<'TEXT'
Trace Go1.4
Batch p=0 ticks=100
ProcStart dt=0
GoCreate dt=0 g=1 pc=4096 stack=0
GoStart dt=10 g=1
GoStart dt=10 g=1
HeapAlloc dt=10 mem=1
Batch p=1 ticks=115
HeapAlloc dt=0 mem=2
HeapAlloc dt=100 mem=3
Frequency freq=1000000000
TEXT
tracepipe --sink events bad.trace || echo $?
tracepipe --strict --sink events bad.trace || echo $?
# The same where a P's times fall.
put fall <<'TEXT'
Trace Go1.4
Batch p=1 ticks=115
HeapAlloc dt=100 mem=3
Batch p=1 ticks=90
HeapAlloc dt=25 mem=2
Batch p=0 ticks=100
ProcStart dt=0
ProcStop dt=20
ProcStop dt=0
Frequency freq=1000000000
TEXT
tracepipe --sink events fall.trace || echo $?
# How fast the clock runs is not told, or told wrong; nothing happened.
head -c 30 good.trace >cut.trace
tracepipe --sink events cut.trace || echo $?
tracepipe --frequency 100000000 --sink events cut.trace || echo $?
printf 'Trace Go1.4\nBatch p=0 ticks=1\nFrequency freq=0\n' | put wrong
tracepipe --sink events wrong.trace || echo $?
printf 'Trace Go1.4\nFrequency freq=10\n' | put empty
tracepipe --strict --sink events empty.trace
