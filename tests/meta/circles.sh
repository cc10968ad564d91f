#!/bin/bash
# Units of a room do not call each other in a circle, so that each can be read with those below it.
# Reads the symbols of the objects. The circles that there are stand here with the reason, and one
# that is gone has to leave the list.
#
#   circles.sh SOURCE_ROOT BUILD_ROOT     exit 77: a build without all units, or without symbols
set -euo pipefail
cd "$1"
build=$2
[ -e "$build/src/io/CMakeFiles/tp_io.dir/source_uring.c.o" ] || {
    echo "a build without io_uring: skipped"
    exit 77
}

# room: units | reason
known='
io: source source_pread source_uring uring_file | source.c has the table of engines, which use its helpers
merge/order: rules rules_goroutine rules_proc rules_range rules_user | rules.c has the table, the others its rules and the helpers they share
merge/track: adopt collector for_stats lives ranges states tasks tracker | one state in several files: events go down by kind, and what a speculation has left goes the same way
merge/upgrade: rules upgrader | one subject in two files: what each event needs, and the moves for it
sink/stats/report: breakdown doubtful files goroutines record_fields refused report samples slowest stacks states wakers wrapped | report.c makes the parts, which sort and count by its helpers
stats/summary: summary user | one state in two files
'

units() {
    local source object layer
    while IFS= read -r source; do
        source=${source#src/} layer=${source%%/*}
        object=$build/src/$layer/CMakeFiles/tp_$layer.dir/${source#*/}.o
        [ -e "$object" ] || continue # for another processor
        nm -g "$object" 2>/dev/null | sed "s|^|${source%.c} |"
    done < <(find src -name '*.c' | sort)
}

# Lines "room: unit unit ...", one for each set of units that reach each other.
found=$(units | awk '
    function room(unit) { sub("/[^/]*$", "", unit); return unit }
    NF == 4 && $3 ~ /[TDBRV]/ { home[$4] = $1 }
    NF == 3 && $2 == "U" { wants[$1 " " $3] }
    { unit[$1] }
    END {
        for (pair in wants) {
            split(pair, p, " ")
            to = home[p[2]]
            if (to != "" && to != p[1] && room(to) == room(p[1])) calls[p[1], to] = 1
        }
        for (via in unit)
            for (from in unit)
                if ((from, via) in calls)
                    for (to in unit)
                        if ((via, to) in calls && room(from) == room(to)) calls[from, to] = 1
        for (u in unit)
            if ((u, u) in calls) {
                first = u
                for (v in unit)
                    if (((u, v) in calls) && ((v, u) in calls) && v < first) first = v
                print room(u) ":", first, substr(u, length(room(u)) + 2)
            }
        if (length(home) == 0) print "no symbols"
    }' | sort | awk '
    $0 == "no symbols" { print; next }
    $2 != first { if (line != "") print line; first = $2; line = $1 }
    { line = line " " $3 }
    END { if (line != "") print line }')
if [ "$found" = 'no symbols' ]; then
    echo "objects without symbols: skipped"
    exit 77
fi
bad=0
while IFS= read -r circle; do
    [ -z "$circle" ] || grep -qF "$circle |" <<<"$known" || {
        echo "a new circle: $circle"
        bad=1
    }
done <<<"$found"
while IFS= read -r row; do
    [ -z "$row" ] || grep -qxF "${row% |*}" <<<"$found" || {
        echo "no circle any more, so not in the list: ${row% |*}"
        bad=1
    }
done <<<"$known"
[ $bad = 0 ] && echo "$(wc -l <<<"$found") circles, all known"
exit $bad
