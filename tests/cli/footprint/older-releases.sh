# Traces from before Go 1.22 have 64 codes; which of them are events depends on the release.
cp "$DATA"/v1/*.trace .
tracepipe --sink footprint go19-stw.trace
for name in go111-gc.trace go121-cpu.trace; do
    tracepipe --sink footprint $name | sed -n 1,12p
done
# Before Go 1.5: a Batch, two events and the frequency.
printf 'gotrace\0\101\0\5\5\1\6\2\2\144' >before.trace
tracepipe --sink footprint before.trace | sed -n 1,7p
# A header alone has no events.
printf 'go 1.5 trace\0\0\0\0' >header.trace
tracepipe --sink footprint header.trace | sed -n 1,3p
# Nothing of Go's says what is in these traces, so --strict changes nothing.
tracepipe --strict --sink footprint go121-cpu.trace |
    cmp - <(tracepipe --sink footprint go121-cpu.trace)
