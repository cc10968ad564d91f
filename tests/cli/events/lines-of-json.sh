# An object for each event; what is long goes out, too.
cp "$DATA/go126-user.trace" "$DATA/go123-alloc.trace" .
tracepipe --sink events:format=jsonl -o out go126-user.trace go123-alloc.trace
ls out
sed -n '1,3p;$p' out/go126-user.trace.events.jsonl
for kind in Log RegionEnd TaskBegin RangeBegin Metric; do
    grep -m 1 "\"kind\":\"$kind\"" out/go126-user.trace.events.jsonl | cut -c1-400
done
grep -m 1 Experimental out/go123-alloc.trace.events.jsonl
tracepipe --sink events:format=jsonl,task=3,time=wall go126-user.trace | sed -n 1p
"$SYNTH" --seed 7 --odd-strings 60 --stack-depth 100 --overwrite-at 60000 --overwrite-len 3000 >odd.trace
tracepipe -q --sink events:format=jsonl odd.trace >odd.jsonl || echo $?
tracepipe -q --sink events odd.trace >odd.text || echo $?
grep -c . odd.jsonl
grep -c '^M=' odd.text
grep -c '"stack":null' odd.jsonl
