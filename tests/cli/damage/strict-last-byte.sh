# A last byte that begins a batch of experimental data is the end of the trace to Go's reader:
# it reads on for the experiment's number, and takes the end of the file there for an end in
# front of the batch. Before Go 1.26 the generation in front is whole then.
for name in go122-gens go123-iter go124-user go125-http go125-flight go126-gens; do
    whole=$DATA/$name.trace
    { cat "$whole" && printf '1'; } >$name.trace
    for sink in events stats:level=summary,format=go-summary; do
        tracepipe --strict --sink $sink "$whole" >wanted
        tracepipe --strict --sink $sink $name.trace 2>words | cmp - wanted
        grep -c 'batch: 1 byte lost' words
        tracepipe --strict --sink $sink - <$name.trace 2>words | cmp - wanted
    done
done
# From Go 1.26 on a generation in front that has no end mark is lost; an empty trace has no
# clock, whatever follows.
head -c -1 "$DATA/go126-gens.trace" >open.trace && printf '1' >>open.trace
tracepipe --strict --sink events open.trace >some || echo $?
wc -l <some
for name in go125-http go126-gens; do
    { head -c 16 "$DATA/$name.trace" && printf '1'; } >empty.trace
    tracepipe --strict --sink events empty.trace || echo $?
done
