# Each term of the list, and other words for it; an unknown term shows the list.
tracepipe --explain list
echo
tracepipe --explain GC
tracepipe --explain few-ps
tracepipe --explain p99.9
tracepipe --explain STOP_THE_WORLD
echo
echo 'a name comes before other words for terms'
for term in p99 running SLOW 'SLOW TAIL' worse hosts; do
    tracepipe --explain "$term" | head -n 1
done
echo
echo 'a term under its own name, in how many lines'
tracepipe --explain list | grep '^  ' | tr -d '\n' | sed 's/,  */\n/g; s/^  //; s/   */\n/g' |
    while read -r term; do
        tracepipe --explain "$term" >text
        [ "$(head -n 1 text)" = "$term" ] || echo "$term: $(head -n 1 text)"
        awk -v term="$term" 'length > 80 { print term ": a long line" } END { if (NR > 23) print term ": " NR }' text
    done
for word in lok 'no such term' ''; do
    tracepipe --explain "$word" && exit 1
    echo "status $?"
done | grep -v '^  '
