# Traces from before Go 1.7 tell PCs alone; the program that was traced knows the rest.
"${SYNTH%/*}/go-program" >program
cat >bare.txt <<'TEXT'
Trace Go1.5
Batch p=0 seq=0 ticks=100
Gomaxprocs dseq=1 dt=1 procs=1 stack=1
GoCreate dseq=1 dt=1 g=7 pc=4198464 stack=1
GoStart dseq=1 dt=1 g=7
GoBlockSend dseq=1 dt=1 stack=2
GoUnblock dseq=1 dt=40 g=7 stack=1
GoStart dseq=1 dt=5 g=7
GoEnd dseq=1 dt=10
Frequency freq=1000000000 unused=0
Stack id=1 nframes=2 pad=0
	pc=4198417
	pc=4198433
Stack id=2 nframes=1 pad=0
	pc=4198470
TEXT
tracepipe --sink raw bare.txt >bare.trace
tracepipe --binary program --sink events bare.trace
tracepipe -v --binary program --sink null:until=order -o /dev/null bare.trace 2>&1 | grep PCs
# Beside the program, what is made of names.
tracepipe --binary program --sink stats:level=full,format=folded bare.trace
# Text and bytes stay what they are.
tracepipe --binary program --sink text bare.trace | cmp - bare.txt
tracepipe --binary program --sink raw bare.trace | cmp - bare.trace
# Another program, or half of it; and traces that have names.
sed 's/4198470/4202496/; s/4198417/16/' bare.txt >other.txt
tracepipe --binary program --sink events other.txt | grep '@'
tracepipe -v --binary program --sink events "$DATA/v1/go121-cpu.trace" 2>&1 >with |
    grep names | sed 's,[^ ]*/,,'
tracepipe --sink events "$DATA/v1/go121-cpu.trace" | cmp - with
