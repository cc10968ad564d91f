#!/bin/bash
# A program that was not the one traced names nothing: with --binary the events of traces of
# Go 1.5 and 1.6 stay what they are, and a warning says so; those of later ones, which have
# names, stay what they are without.
#
#   symbols.sh TRACEPIPE GO-PROGRAM
#
# TRACEPIPE_SAMPLE=N looks at N traces, evenly spread.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
tracepipe=$(realpath -e "$1") go_program=$(realpath -e "$2")
corpus_find
corpus_work
"$go_program" >"$work/program"
awk -F'\t' '$3 == "v1" && $1 ~ /^v1\// { print $1 }' "$corpus/MANIFEST.tsv" | sample >"$work/list"

failures=0 count=0 bare_count=0
fail() {
    echo "FAIL $*"
    failures=$((failures + 1))
}

# events TRACE WORD...: into got and words; the exit status is in `rc`.
events() {
    rc=0
    "$tracepipe" --sink events "${@:2}" "$1" >"$work/got" 2>"$work/words" || rc=$?
}

while read -r file; do
    count=$((count + 1))
    events "$corpus/$file"
    want_rc=$rc
    mv "$work/got" "$work/want"
    mv "$work/words" "$work/want-words"
    events "$corpus/$file" --binary "$work/program"
    cmp -s "$work/want" "$work/got" || fail "$file: other events"
    [ $rc = $want_rc ] || fail "$file: exit $rc, not $want_rc"
    if [ "$(head -c 12 "$corpus/$file" | tr -d '\0')" = 'go 1.5 trace' ]; then
        bare_count=$((bare_count + 1))
        grep -Eq ': ([0-9]+) of \1 PCs are not in ' "$work/words" || fail "$file: no warning"
        sed -i '/ PCs are not in /d' "$work/words"
    fi
    cmp -s "$work/want-words" "$work/words" || fail "$file: other messages"
done <"$work/list"
echo "$count traces, $bare_count of PCs alone, $failures failures"
[ $failures = 0 ] && [ $count -gt 0 ]
