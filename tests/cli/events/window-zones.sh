# Windows as times of day and dates, in zones, on traces that begin at given times.
sized() { awk -f "$DATA/../../cli/sized.awk"; }
clock() { # NAME SECONDS: a trace that begins then and lasts 20 minutes, with an event a minute
    {
        echo 'Trace Go1.25'
        echo 'EventBatch gen=1 m=18446744073709551615 time=1000000000'
        printf 'Sync\nFrequency freq=1000000000\n'
        echo "ClockSnapshot dt=0 mono=1000000000 sec=$2 nsec=500000000"
        echo 'EventBatch gen=1 m=1 time=1000000000'
        printf '%s\n' 'ProcStatus dt=1 p=0 pstatus=1' 'GoStatus dt=1 g=1 m=1 gstatus=2'
        for minute in $(seq 20); do
            echo "ProcsChange dt=60000000000 procs_value=$minute stack=0"
        done
    } | sized >"$1.txt"
    tracepipe --sink raw -o "$1.trace" "$1.txt"
}
minutes() { # FLAG... FILE: the first and the last minute that are in the window
    tracepipe --sink events "$@" >out || echo "status $?"
    sed -n 's/.*gomaxprocs.*Value{Uint64(\([0-9]*\).*/\1/p' out | sed -n '1p;$p' | xargs
}
clock noon 1795262400                          # 2026-11-21T12:00:00.5Z
for from in 12:05 12:05:30 '2026-11-21 12:05' '2026-11-21 12:05:00.6' 2026-11-21T12:05Z; do
    echo "$from: $(minutes --from "$from" --to 12:10 noon.trace)"
done
echo 'before it, behind it'
minutes --from 11:00 noon.trace
minutes --to 13:00 noon.trace
echo zones
minutes --tz Asia/Tokyo --from 21:05 --to '2026-11-21 21:10' noon.trace
minutes --tz America/St_Johns --from 08:35 --to 08:40 noon.trace
TZ=Asia/Tokyo minutes --from 21:05 --to 21:10 noon.trace
TZ=Asia/Tokyo minutes --tz UTC --from 12:05 --to 12:10 noon.trace
echo 'midnight, by UTC and by a zone'
clock night 1795305000                         # 2026-11-21T23:50:00.5Z
minutes --from 00:05 night.trace
minutes --from 23:55 --to 00:05 night.trace
minutes --tz Asia/Tokyo --from 08:55 --to 09:05 night.trace
echo 'clocks put back: 02:50 CEST, 03:00 CEST is 02:00 CET'
clock back 1792889400                          # 2026-10-25T00:50:00.5Z
minutes --tz Europe/Berlin --from 02:55 back.trace
minutes --tz Europe/Berlin --from 02:05 back.trace
minutes --tz Europe/Berlin --from '2026-10-25 02:05' back.trace
minutes --tz Europe/Berlin --from 2026-10-25T02:05+01:00 back.trace
echo 'clocks put forward: 01:50 CET, 02:00 CET is 03:00 CEST'
clock forward 1774745400                       # 2026-03-29T00:50:00.5Z
minutes --tz Europe/Berlin --from 01:55 --to 02:30 forward.trace
minutes --tz Europe/Berlin --from 02:30 --to 03:05 forward.trace
echo 'a time that is on two days'
minutes --from 12:05 noon.trace night.trace
clock next 1795348800                          # 2026-11-22T12:00:00.5Z
for jobs in 1 8; do
    rc=0
    tracepipe -j$jobs --sink stats -o sums --from 12:05 noon.trace next.trace || rc=$?
    echo "status $rc: $(ls sums 2>&1)"
done
minutes --from '2026-11-22 12:05' noon.trace next.trace
echo 'no such zone'
minutes --tz Nowhere/Land --from 12:05 noon.trace
minutes --tz ../zone noon.trace
