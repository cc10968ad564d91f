# A goroutine that is in one system call all the time, as those that wait for signals are, is no
# finding: who made the call is not told. One that began in the trace is.
sized() { awk -f "$DATA/../../cli/sized.awk"; }
trace() { # EVENT...: a trace of 100 ms, in which goroutine 2 is in a system call when it begins
    {
        echo 'Trace Go1.25'
        echo 'EventBatch gen=1 m=18446744073709551615 time=1000000000'
        printf 'Sync\nFrequency freq=1000000000\n'
        echo 'ClockSnapshot dt=0 mono=1000000000 sec=1700000000 nsec=500000000'
        echo 'EventBatch gen=1 m=1 time=1000000000'
        printf '%s\n' 'ProcStatus dt=1 p=0 pstatus=1' 'GoStatus dt=1 g=1 m=1 gstatus=2' \
            'GoStatus dt=1 g=2 m=2 gstatus=3' 'ProcsChange dt=1 procs_value=1 stack=0' "$@"
    } | sized
}
trace 'ProcsChange dt=100000000 procs_value=1 stack=0' >before.txt
trace 'GoSyscallBegin dt=20000000 p_seq=1 stack=0' 'GoSyscallEnd dt=60000000' \
    'ProcsChange dt=20000000 procs_value=1 stack=0' >in.txt
for name in before in; do
    echo "$name"
    tracepipe --tz UTC --screen 100x24 $name.txt | sed -n '4,6p'
    tracepipe --sink stats:format=json $name.txt | grep -o '"syscall","value":[0-9.]*' || true
done
