# Each label that a report shows is a term of --explain: titles and heads of tables, states and
# other rows that the program names, and the words of findings.
out=$PWD
cd "$DATA/../../findings/data"
for by in all file finding goroutine waker; do
    tracepipe --all --sink stats:by=$by,idle=no *.zst "$DATA"/*.trace "$DATA"/v1/*.trace 2>/dev/null || true
done >"$out/reports"
tracepipe --screen 160x40 *.zst >>"$out/reports"
cd "$out"
# Labels stand two spaces apart; units, examples and numbers are none.
awk '
    function label(text) {
        sub(/^( +|[0-9]+\. )/, "", text); sub(/ +$/, "", text); sub(/: time, count$/, "", text)
        sub(/ \([0-9]+ rows? more\)$/, "", text); sub(/: count$/, "", text); sub(/, (ns|s|%|bytes|goroutines)$/, "", text)
        if (text != "" && text !~ /^[0-9.,]+ / && text !~ /^about /) print text
    }
    match($0, /^[0-9]+\. [^:]*:/) { label(substr($0, 1, RLENGTH - 1)) }
    /^[^ ]/ && last == "" && !/^[0-9]+\. / && !/ -> |^more:|^some columns |^nothing |not judged/ {
        n = split($0, part, /  +/)
        for (i = 1; i <= n; i++) label(part[i])
        in_states = /^goroutine time by state/
    }
    in_states && /^  / { sub(/^  /, ""); sub(/  +[0-9].*/, ""); label($0) }
    /^  \([a-z ]*\)  / { sub(/^  /, ""); sub(/  .*/, ""); label($0) }
    match($0, /^   (held by|waits|runs|allocates|calls in|stuck in|seen in|made runnable by|slow side|stopped by|because of|who waits|has to help|made by|delayed by) /) {
        label(substr($0, 4, RLENGTH - 3)) }
    { last = $0 }' reports | sort -u >labels
for label in 'nothing stands out' 'nearest' 'not judged' 'blocked since before the trace' 'chan send' \
    'p99.9' 'cut' excluded '(start function unknown)' '(no stack)' '(idle waits)' 'any window' \
    average 'all GC' 'mark workers' 'heap goal' 'GOMAXPROCS' 'select (no cases)' \
    'sync.(*Cond).Wait' damaged 'in it' 'or below' traces events 'wall-clock time' explains cycles stops \
    stack goroutines generation 'as far as it could be read' \
    'syste...utine wait' 'GC ba...eeper wait' \
    hosts differs fleet 'two groups' new worse better gone more less 'not seen' \
    LOCK GC SYSCALL 'FEW PS' LEAK 'P HOG' LATENCY CHANNEL STOPPED POOL \
    RUNNABLE BLOCKED GROWING HEAP BUSY EVENTS SLOW 'SLOW TAIL' RATE; do
    echo "$label"
done >>labels
while read -r label; do
    tracepipe --explain "$label" >text 2>/dev/null || echo "no term: $label"
done <labels
[ "$(wc -l <labels)" -gt 80 ] || cat labels
