#!/bin/bash
# What a table of the source lists, its manual lists, too: the waits that are idle.
#
#   lists.sh SOURCE_ROOT
set -euo pipefail
cd "$1"
manual=docs/man/tracepipe-stats.7
mapfile -t functions < <(
    sed -nE 's/^TP_IDLE_WAIT\("([^"]*)", "([^"]*)"\)$/\1\n\2/p' src/stats/names/idle_waits.def | sed '/^$/d')
rows=$(grep -c '^TP_IDLE_WAIT' src/stats/names/idle_waits.def)
[ "$rows" -ge 10 ] && [ ${#functions[@]} -ge "$rows" ] ||
    { echo "src/stats/names/idle_waits.def: a row that this test cannot read" && exit 1; }
bad=0
for function in "${functions[@]}"; do
    grep -qF ".Ql $function" "$manual" || { echo "$manual does not list $function" && bad=1; }
done
# And nothing else: the items of its list.
listed=$(awk '/has one of these functions/ { inside = 1 } inside && /^\.El/ { exit }
    inside && /^\.It/ { n++ } END { print n + 0 }' "$manual")
[ "$listed" -eq "$rows" ] || { echo "$manual lists $listed idle waits, not $rows" && bad=1; }
[ $bad = 0 ] && echo "$rows idle waits are in the manual"
exit $bad
