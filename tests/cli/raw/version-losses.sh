# What the newer form has no room for is said, and stands in the manifest.
{
    cat <<'TEXT'
Trace Go1.21
Batch p=0 ticks=100
Gomaxprocs dt=1 procs=1 stack=0
ProcStart dt=1 thread=3
GoCreate dt=1 g=1 new_stack=0 stack=0
GoCreate dt=1 g=2 new_stack=0 stack=0
GoStart dt=1 g=1 seq=1
GoInSyscall dt=1 g=2
UserLog dt=1 task=0 key_string=1 stack=0
	data="hello"
Frequency freq=1000000000
TEXT
    printf 'String id=1\n\tdata="%01100d"\n' 7
} >a.txt
tracepipe --manifest run.json --sink raw:version=1.26 -o new.trace a.txt
grep -o '"omitted_events": [0-9]*, "cut_texts": [0-9]*' run.json
tracepipe --strict --sink events new.trace | grep -v '^$' | sed 's/0\{1023\}/ (1023 zeroes) /'
