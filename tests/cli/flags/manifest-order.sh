# What the order lost or doubts is in the manifest: bytes and reasons of generations that the
# scan calls sound, ids that no table has, what was believed. A doubt alone is exit status 0.
"$SYNTH" --seed 5 --version 25 --generations 3 --gen-events 500 --threads 3 \
    --batch-bytes 700 --drop-batch 12 >holed.trace
head -c 9000 "$DATA/go122-gc.trace" >killed.trace
cat >doubt.txt <<'TRACE'
Trace Go1.26
EventBatch gen=1 m=18446744073709551615 time=100 size=17
Sync
Frequency freq=1000000000
ClockSnapshot dt=1 mono=1000 sec=1700000000 nsec=0
EventBatch gen=1 m=7 time=110 size=4
ProcStatus dt=1 p=3 pstatus=2
EndOfGeneration
EventBatch gen=2 m=18446744073709551615 time=200 size=17
Sync
Frequency freq=1000000000
ClockSnapshot dt=1 mono=1100 sec=1700000000 nsec=100
EventBatch gen=2 m=8 time=210 size=8
ProcStatus dt=1 p=3 pstatus=1
ProcStart dt=1 p=3 p_seq=1
EndOfGeneration
TRACE
for input in doubt.txt holed.trace killed.trace; do
    tracepipe --manifest run.json --sink events -o "$input.out" "$input" 2>/dev/null || echo "exit $?"
    echo "$input"
    grep -oE '"status": "[^,]*|"(unordered_bytes|(damage|loss|doubt)_count)": [^,]*|"doubts_by_kind": \{[^}]*\}|"(damage|losses|doubts|notes)": \[[^]]*\]' run.json
    rm run.json
done
