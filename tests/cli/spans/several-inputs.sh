# One output for each input, or all in a row; beside other sinks, the rows are the same.
cp "$DATA/go126-user.trace" a.trace
cp "$DATA/v1/go111-gc.trace" b.trace
tracepipe --sink spans -o rows a.trace b.trace
ls rows
tracepipe --sink spans a.trace b.trace | grep -c ^goroutine,
cat rows/a.trace.spans.csv rows/b.trace.spans.csv >both
tracepipe --sink spans a.trace b.trace | cmp - both
tracepipe --sink stats:format=json -o report --sink spans -o beside --sink events -o events a.trace b.trace
cmp rows/a.trace.spans.csv beside/a.trace.spans.csv
cmp rows/b.trace.spans.csv beside/b.trace.spans.csv
tracepipe --sink stats:format=json a.trace b.trace | cmp - report
tracepipe --sink events a.trace | cmp - events/a.trace.events
# An input without events has the names of the columns.
head -c 16 a.trace >head.trace
tracepipe --sink spans head.trace
