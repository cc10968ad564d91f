# Traces from before Go 1.22: their types of event stand beside those of later ones.
cp "$DATA"/v1/*.trace "$DATA/go126-user.trace" .
tracepipe --sink stats:level=counts go19-stw.trace go111-gc.trace go121-cpu.trace go126-user.trace
tracepipe --sink stats:level=counts,format=json go19-stw.trace go126-user.trace
tracepipe --sink stats:level=counts,format=csv go121-cpu.trace | grep -v event_
# Before Go 1.5: a Batch at 5, events 1 and 2 later, a Batch at 90 and one event 4 later; 100
# ticks per second.
printf 'gotrace\0\101\0\5\5\1\6\2\101\3\132\5\4\2\144' >before.trace
tracepipe --sink stats:level=counts,format=csv before.trace |
    grep -E '^before.trace,(version|go_minor|.*_ns|proc_count|events|event_)'
# Without a frequency, no duration; without an event, nothing.
head -c 20 before.trace >timeless.trace
printf 'go 1.5 trace\0\0\0\0' >header.trace
tracepipe --sink stats:level=counts timeless.trace header.trace
# Go has no reader to be strict with.
tracepipe --strict --sink stats:level=counts ./*-*.trace |
    cmp - <(tracepipe --sink stats:level=counts ./*-*.trace)
