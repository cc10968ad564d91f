# A window is refused where no sink has a use for it, and cuts only those that have.
for sink in stats:level=counts list text footprint raw zstd null; do
    tracepipe --from 1ms --sink $sink -o x "$DATA/go126-user.trace" || echo $sink: $?
done
tracepipe --to 1ms -l "$DATA/go126-user.trace" || echo $?
tracepipe --to 1ms --sink raw -o whole --sink events -o part "$DATA/go126-user.trace"
cmp whole "$DATA/go126-user.trace"
grep -c ^M part
ls
