# A thread is in a system call when a generation begins, and the runtime takes its P half a
# millisecond later: a cut before that would be at a state that cannot be guessed.
ticks() { # COUNT: an event each microsecond
    for _ in $(seq "$1"); do echo 'HeapAlloc dt=1000 heapalloc_value=1'; done
}
sized() { awk -f "$DATA/../../cli/sized.awk"; }
sized >syscall.txt <<TEXT
Trace Go1.22
EventBatch gen=1 m=1 time=1000000
ProcStatus dt=1 p=0 pstatus=1
GoStatus dt=1 g=1 m=1 gstatus=2
GoSyscallBegin dt=1 p_seq=1 stack=0
EventBatch gen=1 m=2 time=1000000
ProcStatus dt=1 p=1 pstatus=1
$(ticks 10)
EventBatch gen=1 m=18446744073709551615 time=1010000
Frequency freq=1000000000
EventBatch gen=2 m=2 time=2000000
ProcStatus dt=1 p=1 pstatus=1
$(ticks 550)
ProcStatus dt=1 p=0 pstatus=4
ProcSteal dt=1 p=0 p_seq=1 m=1
$(ticks 2000)
EventBatch gen=2 m=1 time=2500000
GoStatus dt=1 g=1 m=1 gstatus=3
GoSyscallEndBlocked dt=60000
EventBatch gen=2 m=18446744073709551615 time=202000000
Frequency freq=1000000000
TEXT
tracepipe --sink raw -o syscall.trace syscall.txt
# One worker: another one might not know yet where the first generation ends, and not guess.
tracepipe -v -j1 --sink null:until=order --speculate always syscall.trace 2>&1 >/dev/null |
    sed -n 's/.*: \(generations ordered spec.*\)/\1/p'
tracepipe --sink null:until=order,rules=yes --speculate always syscall.trace |
    grep -E '^(PROC_STEAL|GO_SYSCALL_END_BLOCKED)_?'
