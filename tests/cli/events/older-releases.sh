# Traces from before Go 1.22 as Go's own conversion makes them; Go has not read the first since
# 1.23.
cp "$DATA"/v1/*.trace .
for trace in go{19-stw,111-gc,121-cpu}.trace; do
    tracepipe --sink events "$trace" >got || echo $?
    head -n 12 got
    grep -c '^M=' got
    tail -n 1 got
done
# A window counts from the first event, as there is no time of day.
tracepipe --sink events --from 100us --to 130us go111-gc.trace | grep '^M='
tracepipe --sink events --from 2020-01-01T00:00:00Z go111-gc.trace || echo $?
