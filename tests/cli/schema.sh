#!/bin/bash
# The JSON of `stats`, `list` and `events` against their schemas in docs/format, by python3-jsonschema: of bundled,
# generated, damaged and odd inputs. A document with something too many must be refused, or
# the validator would prove nothing. And the rules that schemas have in common.
#
#   schema.sh TRACEPIPE SYNTH
set -euo pipefail
export LC_ALL=C.UTF-8
root=$(cd "$(dirname "$0")/../.." && pwd)
tracepipe=$(realpath -e "$1") synth=$(realpath -e "$2")
# That of the system: another one in front of it may lack the package.
python=/usr/bin/python3
"$python" -c 'import jsonschema' 2>/dev/null || {
    echo 'python3-jsonschema is missing: tools/install-deps' >&2
    exit 1
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$root"/tests/data/traces/*.trace "$root"/tests/data/traces/v1/*.trace "$work"
"$synth" --seed 5 --version 25 >"$work/generated.trace"
"$synth" --seed 6 --generations 6 --samples 50 --truncate 100001 >"$work/cut.trace"
"$synth" --seed 7 --odd-strings 60 --overwrite-at 60000 --overwrite-len 3000 >"$work/odd.trace"
"$synth" --generations 0 >"$work/header.trace"
: >"$work/empty.trace"
echo letter >"$work/letter.trace"

# validate SCHEMA DOCUMENT...
validate() {
    "$python" "$root/tests/cli/validate.py" "$root/docs/format/$1" "${@:2}"
}

failed=0
"$root/tests/cli/schema_rules.py" "$root"/docs/format/*.schema.json || failed=1
# as_array DOCUMENT: makes lines the items of an array, the first ones of each type of event.
as_array() {
    sed 's/.*"type":"\([A-Za-z]*\)".*/\1 &/' "$1" | awk 'seen[$1]++ < 4 { sub("^[^ ]* ", ""); print }' |
        sed 's/$/,/; 1s/^/[/; $s/,$/]/' >"$1.array"
    [ -s "$1.array" ] || echo '[]' >"$1.array"
    mv "$1.array" "$1"
}
# write SINK DOCUMENT INPUT...
write() {
    "$tracepipe" -q --sink "$1" "${@:3}" >"$2" 2>/dev/null || true
    [[ $1 != *jsonl* ]] || as_array "$2"
    [ -s "$2" ] || { echo "no document: $1: ${*:3}"; failed=1; }
}
while read -r schema sink; do
    mkdir "$work/$sink"
    write "$sink" "$work/$sink/all" "$work"/*.trace
    for input in "$work"/*.trace; do
        write "$sink" "$work/$sink/${input##*/}" "$input"
    done
    validate "$schema" "$work/$sink"/* || failed=1
    sed 's/"\(schema\|kind\)":/"surplus":1,&/' "$work/$sink/all" >"$work/wrong"
    ! validate "$schema" "$work/wrong" >/dev/null || { echo "$schema takes anything"; failed=1; }
done <<'SINKS'
stats.schema.json stats:level=counts,format=json
stats.full.schema.json stats:level=full,format=json
stats.full.schema.json stats:format=json,histograms=yes,detail=yes
list.schema.json list:format=json
list.schema.json list:format=json,batches=yes
events.schema.json events:format=jsonl
events.schema.json events:format=jsonl,time=relative
SINKS
# A comparison, with changes.
planted=$root/tests/findings/data
zstd -dqc "$planted"/016-healthy-idle.* >"$work/before"
zstd -dqc "$planted"/006-lock.* >"$work/after"
"$tracepipe" -q --json --baseline "$work/before" "$work/after" >"$work/comparison"
grep -q '^{"verdict"' "$work/comparison" || { echo 'no change'; failed=1; }
validate stats.full.schema.json "$work/comparison" || failed=1
exit $failed
