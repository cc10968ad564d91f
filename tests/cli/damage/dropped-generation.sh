# A generation that is dropped because the window ends before it has lost nothing: what the one
# before it lacks is not told again.
generation() { # NUMBER SYNC-TIME TIME BYTES
    echo "EventBatch gen=$1 m=18446744073709551615 time=$2 size=17"
    printf 'Sync\nFrequency freq=1000000000\n'
    echo 'ClockSnapshot dt=1 mono=1000 sec=1700000000 nsec=0'
    echo "EventBatch gen=$1 m=7 time=$3 size=$4"
    printf 'ProcStatus dt=1 p=0 pstatus=1\nGoStatus dt=1 g=1 m=7 gstatus=2\n'
    [ "$1" = 2 ] || echo 'UserLog dt=1 task=0 key_string=99 value_string=99 stack=0'
    echo 'HeapAlloc dt=390 heapalloc_value=1'
    echo EndOfGeneration
}
{
    echo 'Trace Go1.26'
    generation 1 100 110 19
    generation 2 300 310 13
} >a.text
tracepipe --sink events a.text >/dev/null || echo $?
# Its first batch is before the end of the window, the last event of the one before behind it.
tracepipe --sink events --to 300ns --manifest run.json a.text >lines || echo $?
wc -l <lines
grep -o '"loss_count": [0-9]*' run.json
