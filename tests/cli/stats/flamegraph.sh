# A picture of the stacks of `folded`, without another program.
picture() {
    sed '/<style>/d; /<script>/,/<\/script>/d' "$@"
}
tracepipe --sink stats:format=flamegraph,filter=runFlight -o run.svg "$DATA/go126-flight.trace"
picture run.svg
# Goes together with what goes together with `folded`.
tracepipe --sink stats:format=state -o state "$DATA/go126-flight.trace"
tracepipe --sink stats:level=full,by=stack,format=flamegraph,filter=runFlight state | cmp - run.svg
tracepipe --sink stats:format=flamegraph,filter=nosuch "$DATA/go126-flight.trace" | picture
tracepipe --sink stats:level=counts,format=flamegraph "$DATA/go126-flight.trace" || echo $?
# The picture loads nothing.
grep -c -e 'href' -e 'url(' -e '@import' run.svg || true
