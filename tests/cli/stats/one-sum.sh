# Several sinks of one run print what each prints alone: of a sound trace, a damaged one, one whose
# clock is in doubt, a state, and what is no trace; the clock's doubt alone, too.
sed 's/^\(EventBatch gen=2 m=104 time=\)1420/\1140000000000000000/' "$DATA/hand.txt" >late.txt
tracepipe --sink raw -o late.trace late.txt
cp "$DATA/go126-user.trace" "$DATA/go122-chan.trace" .
head -c 9000 go122-chan.trace >cut.trace
tracepipe --sink stats:format=state -o chan.state go122-chan.trace
echo letter >letter.txt
specs=(format=text format=csv format=state format=json format=text,by=stack format=json,pc=yes
    format=folded format=json,keep=3 format=json,clocks=all)
# same INPUT...: all outputs together are those of one run each.
same() {
    local i many=()
    for i in "${!specs[@]}"; do
        tracepipe -q --sink "stats:${specs[i]}" -o "alone.$i" "$@" 2>/dev/null || true
        many+=(--sink "stats:${specs[i]}" -o "together.$i")
    done
    tracepipe -f "${many[@]}" "$@" || echo $?
    for i in "${!specs[@]}"; do
        cmp "alone.$i" "together.$i"
    done
    rm alone.* together.*
}
same late.trace go126-user.trace cut.trace chan.state letter.txt
same late.trace
same letter.txt
# The manifest has the result of each.
tracepipe --sink stats -o a.txt --sink stats:format=json -o b.json --manifest manifest.json \
    go126-user.trace letter.txt || echo $?
grep -o '"outputs".*\]' manifest.json
