# The events themselves of traces from before Go 1.22, as the parser of that time linked them.
cp "$DATA"/v1/*.trace "$DATA/go126-user.trace" .
for trace in go{19-stw,111-gc,121-cpu}.trace; do
    tracepipe --strict --sink events:model=v1 "$trace" >got || echo $?
    head -n 5 got
    grep -m 2 'STW' got
    wc -l <got
    tail -n 1 got
done
# Offsets are those of the decompressed trace.
gzip -c go111-gc.trace >go111-gc.trace.gz
tracepipe --sink events:model=v1 go111-gc.trace | cmp - <(tracepipe --sink events:model=v1 go111-gc.trace.gz)
tracepipe --sink events:model=v1 --from 100us --to 130us go111-gc.trace
# Other traces have no such events; the rest of the batch has.
tracepipe --sink events:model=v1 -o out go126-user.trace go111-gc.trace || echo $?
ls out
tracepipe --sink events:model=v1 go111-gc.trace | cmp - out/go111-gc.trace.events
