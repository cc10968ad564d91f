# A window begins in the middle of a trace. A P that its first generation does not mention may
# have been there all the time, so what it was before its first status is not known; what a
# goroutine was before it was created is. From the beginning all of that is known.
sized() { awk -f "$DATA/../../cli/sized.awk"; }
clock() { # GENERATION TIME
    echo "EventBatch gen=$1 m=18446744073709551615 time=$2"
    echo 'Frequency freq=1000000000'
}
# P 1 and P 2 are idle, P 3 comes with the third generation.
sized >late.txt <<TEXT
Trace Go1.22
EventBatch gen=1 m=1 time=1000
ProcStatus dt=1 p=0 pstatus=1
GoStatus dt=1 g=1 m=1 gstatus=2
ProcStatus dt=1 p=1 pstatus=2
ProcStatus dt=1 p=2 pstatus=2
ProcsChange dt=1 procs_value=3 stack=0
$(clock 1 1900)
EventBatch gen=2 m=1 time=2000
ProcStatus dt=1 p=0 pstatus=1
GoStatus dt=1 g=1 m=1 gstatus=2
ProcsChange dt=1 procs_value=3 stack=0
GoCreate dt=10 new_g=5 new_stack=0 stack=0
$(clock 2 2900)
EventBatch gen=3 m=1 time=3000
ProcStatus dt=1 p=0 pstatus=1
GoStatus dt=1 g=1 m=1 gstatus=2
ProcsChange dt=1 procs_value=4 stack=0
ProcStatus dt=10 p=3 pstatus=2
GoCreate dt=10 new_g=6 new_stack=0 stack=0
EventBatch gen=3 m=2 time=3050
ProcStatus dt=1 p=1 pstatus=2
ProcStart dt=1 p=1 p_seq=1
GoStatus dt=1 g=5 m=18446744073709551615 gstatus=1
GoStart dt=1 g=5 g_seq=1
$(clock 3 3900)
EventBatch gen=4 m=1 time=4000
ProcStatus dt=1 p=0 pstatus=1
GoStatus dt=1 g=1 m=1 gstatus=2
ProcStatus dt=1 p=1 pstatus=1
GoStatus dt=1 g=5 m=2 gstatus=2
ProcStatus dt=1 p=2 pstatus=2
ProcStatus dt=1 p=3 pstatus=2
$(clock 4 4900)
TEXT
tracepipe --sink raw -o late.trace late.txt
changes() { # FLAG...
    tracepipe --sink events "$@" late.trace >got
    sed -n 's/.* \([A-Za-z]*ID=.*\) Reason.*/\1/p' got
}
echo whole && changes
for flags in '' --exact; do
    for from in 1000ns 2000ns 3000ns; do
        echo "$from $flags" && changes --from $from $flags
    done
done
# Nor does it depend on how generations are put in order, or on where they are read.
tracepipe --sink events --from 1000ns late.trace >wanted
tracepipe -j8 --runs decoded --sink events --from 1000ns late.trace | cmp - wanted
tracepipe --sink events --from 1000ns - <late.trace | cmp - wanted
sums() { tracepipe -j8 --sink stats:format=state -o sums -f --from 1000ns "$@" late.trace; }
sums --speculate never && mv sums wanted
sums --speculate always && cmp sums wanted
