# When traces were taken: in text in the zone of --tz, in JSON in UTC.
cp "$DATA/go126-gens.trace" gens.trace
cp "$DATA/go122-chan.trace" older.trace
times() { # FLAG...
    tracepipe -l "$@" gens.trace older.trace | awk 'NR < 4 { print $12, $13 }'
}
times
times --tz Asia/Tokyo
TZ=America/St_Johns times
TZ=America/St_Johns times --tz UTC
tracepipe --sink list:format=json gens.trace older.trace | grep -o '"wall[^,]*' | paste -sd ' '
TZ=Asia/Tokyo tracepipe --sink list:format=json --tz Europe/Berlin gens.trace >there
tracepipe --sink list:format=json gens.trace | cmp - there
echo 'clocks that cannot be'
odd() { # SECONDS NANOSECONDS SIZE
    tracepipe --sink raw -f -o odd.trace - <<TEXT
Trace Go1.25
EventBatch gen=1 m=18446744073709551615 time=1000 size=$3
Sync
Frequency freq=1000000000
ClockSnapshot dt=0 mono=1 sec=$1 nsec=$2
EventBatch gen=1 m=1 time=1000 size=4
ProcStatus dt=1 p=0 pstatus=1
TEXT
    tracepipe -l odd.trace | awk 'NR == 2 { print $12, $13 }'
    tracepipe --sink list:format=json odd.trace | grep -o '"wall[^,]*' | paste -sd ' '
}
odd 1795229931 999999999 20
odd 1 1000000000 16
odd 18446744073709551615 0 21
odd 253402300799 0 17
