# The bytes of a report on a time window do not depend on how much of the rest was read: not on the
# size of chunks or the other sinks; of a file that is not compressed both are its size.
"$SYNTH" --seed 3 --generations 6 --gen-events 40000 >six.trace
zstd -q six.trace -o six.zst
# report NAME ARGUMENT...: adds the two figures to NAME.
report() {
    local name=$1
    shift
    tracepipe -q -f --to 0.01s --sink stats:format=json -o report.json "$@"
    head -1 report.json | sed 's/.*"stored_bytes":\([0-9]*\),"stream_bytes":\([0-9]*\).*/\1 \2/' >>"$name"
}
for chunk in 64K 1M 4M; do
    report plain --chunk-size $chunk six.trace
    report plain --chunk-size $chunk --sink list -o list six.trace
    report plain --chunk-size $chunk - <six.trace
    report packed --chunk-size $chunk six.zst
    { cat six.trace || true; } | report pipe --chunk-size $chunk -
done
stat -c "%s %s" six.trace | cmp - <(sort -u plain)
[ "$(sort -u packed | wc -l)" = 1 ]
grep -q "^$(stat -c %s six.zst) " packed
[ "$(sort -u pipe | wc -l)" = 1 ]
