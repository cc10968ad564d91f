# The events themselves of traces from before Go 1.5, as the parser of that time linked them.
put() { tracepipe -f --sink raw -o "$1.trace" -; }
put good <<'TEXT'
Trace Go1.4
Batch p=1 ticks=140
GoStart dt=0 g=2
GoBlockNet dt=10 stack=2
GCStart dt=2 stack=1
Batch p=0 ticks=100
GoCreate dt=0 g=1 pc=4096 stack=1
GoCreate dt=1 g=2 pc=8192 stack=1
GoCreate dt=1 g=3 pc=8192 stack=0
GoWaiting dt=1 g=3
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
HeapGoal dt=1 mem=2000
GoUnblock dt=5 g=3 stack=0
GoUnblock dt=5 g=2 stack=0
GoSysCall dt=5 stack=2
GoSysBlock dt=6 stack=0
GoSysExit dt=10 g=1
Batch p=1 ticks=160
GCDone dt=2
Stack id=1 nframes=2 pad=0
	pc=4100
	pc=5100
Stack id=2 nframes=1 pad=0
	pc=8200
Frequency freq=100000000
TEXT
tracepipe --strict --sink events:model=v1 good.trace
tracepipe --sink events:model=v1 --from 510ns --to 580ns good.trace
# Beside a sink of other things, and other traces.
tracepipe --sink events:model=v1 -o out --sink footprint -o sizes \
    good.trace "$DATA/v1/go111-gc.trace"
tracepipe --sink events:model=v1 good.trace | cmp - out/good.trace.events
# What no scheduler does: up to there, and nothing at all.
put bad <<'TEXT'
Trace Go1.4
Batch p=3 ticks=100
GoCreate dt=0 g=1 pc=4096 stack=0
GoStart dt=10 g=1
STWDone dt=10
HeapAlloc dt=10 mem=1
Frequency freq=1000000000
TEXT
tracepipe --sink events:model=v1 bad.trace || echo $?
tracepipe --strict --sink events:model=v1 bad.trace || echo $?
tracepipe --salvage generation --sink events:model=v1 bad.trace || echo $?
# How fast the clock runs is not told; nothing happened.
head -c 30 good.trace >cut.trace
tracepipe --sink events:model=v1 cut.trace || echo $?
tracepipe --frequency 100000000 --sink events:model=v1 cut.trace || echo $?
printf 'Trace Go1.4\nFrequency freq=10\n' | put empty
tracepipe --sink events:model=v1 empty.trace || echo $?
tracepipe --strict --sink events:model=v1 empty.trace || echo $?
