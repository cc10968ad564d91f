# taken: the JSON of a page.
taken() {
    sed -n '/id="tracepipe">$/,/^<\/script>/{//!p}' "$1" | base64 -d | gunzip
}
# The page has the JSON of `stats`, its text form, and its flame graph; and is the same in any order of the inputs.
cp "$DATA"/go126-user.trace "$DATA"/go125-http.trace "$DATA"/go126-held-lock.trace .
tracepipe -q --sink report -o night.html --sink stats:format=json,histograms=yes -o night.json \
    --sink stats:format=text -o night.txt --sink stats:format=flamegraph -o night.svg ./*.trace
taken night.html >taken.json
python3 -c 'import json, sys; a, b = (json.load(open(f)) for f in sys.argv[1:]); print(a == b)' taken.json night.json
sed -n '/^<pre>$/,/^<\/pre>/{//!p}' night.html | sed 's/&lt;/</g; s/&gt;/>/g; s/&amp;/\&/g' | cmp - night.txt
sed -n '/^<noscript>$/,/^<\/noscript>$/{//!p}' night.html | cmp - night.svg
grep -c 'Content-Security-Policy' night.html
grep -oE '(src|href)="?https?:[^ >]*' night.html || echo "no addresses"
head -c 15 night.html
echo
[ "$(wc -c <night.html)" -lt $((600000 + $(cat night.json night.txt night.svg | wc -c))) ] && echo small
for traces in 'go126-user.trace go125-http.trace' 'go125-http.trace go126-user.trace'; do
    tracepipe -q -j 3 --sink report -f -o order.html $traces
    taken order.html | sed '/"trace":/d; s/tracepipe --from.*//' | wc -l
done | sort -u | wc -l
# Hostile names end nothing in the page.
"$SYNTH" --seed 5 --odd-strings 100 --strings 300 >odd.trace
tracepipe -q --sink report odd.trace >odd.html
taken odd.html | python3 -c 'import json, sys; print(json.load(sys.stdin)["trace_count"])'
# No trace at all, damage, wrong options.
: >empty.trace
tracepipe -q --sink report -o none.html empty.trace || echo "empty: $?"
taken none.html | grep -c refused
head -c 5000 go126-user.trace >cut.trace
tracepipe -q --sink report cut.trace >cut.html || echo "cut: $?"
for options in keep=0 clocks=some format=json; do
    tracepipe --sink report:$options go126-user.trace >/dev/null || echo "$options: $?"
done
