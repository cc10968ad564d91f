# The text of a trace from before Go 1.22 becomes its bytes again; Go's reader, which
# --strict stands for, knows no event of it.
cat >old.txt <<'TEXT'
Trace Go1.21
Batch p=0 ticks=2318
GoCreate dt=300 g=5 new_stack=7 stack=0
UserLog dt=1 task=1 key_string=8 stack=0
	data="hello"
Batch p=0 ticks=5000
Frequency freq=15625000
String id=3
	data="main.main"
Stack id=7 nframes=1 pad=9
	pc=4198400 func=3 file=4 line=12
TEXT
tracepipe --sink raw old.txt >old.trace
od -An -tx1 -c old.trace
tracepipe --sink text old.trace >again.txt
cmp again.txt old.txt
tracepipe --strict --sink raw old.txt >strict.trace || echo $?
od -An -c strict.trace
