#!/usr/bin/env bash
# The waits by stack of `stats:level=full` against `go tool trace -pprof=TYPE`: the JSON
# is turned into the text of the recorded answers, whose digest must be the same.
#
#   stacks.sh TRACEPIPE
#
# Left out: traces with an error, where Go leaves out what comes before it, and cgo.trace,
# whose goroutines come back from C with ids used before: Go keeps the last life of each; and
# the old deep.trace, where one PC is of two functions, one a wrapper: Go shows the first one
# for all stacks.
set -euo pipefail

# as_profile TYPE: JSON on stdin; one line per stack with its count, time and frames.
as_profile() {
    echo "types contentions/count delay/nanoseconds period trace/count=1"
    sed -n "s/^{\"type\":\"$1\",//p" | sed 's/\]}\]}$//; s/\]},\?$//' | awk '
        # {"count":N,"total_ns":N,"frames":[{"function":F,"file":F,"line":N,"pc":N},...
        function after(text, key) { return substr(text, index(text, key) + length(key)) }
        # Not every awk prints numbers above 2^31 as hexadecimal ones.
        function hex(n) {
            return n < 65536 ? sprintf("%x", n) : sprintf("%x%04x", int(n / 65536), n % 65536)
        }
        {
            count = after($0, "\"count\":") + 0
            total = after($0, "\"total_ns\":")
            sub(/,.*/, "", total)
            frames = after($0, "\"frames\":[")
            stack = ""
            n = split(frames, frame, /},?/)
            for (i = 1; i < n; i++) {
                name = after(frame[i], "\"function\":\"")
                sub(/","file":".*/, "", name)
                file = after(frame[i], "\",\"file\":\"")
                line = after(file, "\",\"line\":") + 0
                pc = after(file, ",\"pc\":") + 0
                sub(/","line":.*/, "", file)
                stack = stack sprintf("\t0x%s %s %s:%d\001", hex(pc), name, file, line)
            }
            print stack "\002" count " " total
        }' | sort | awk -F'\002' '{ printf "%s\n", $2; gsub("\001", "\n", $1); printf "%s", $1 }'
}

if [ "$1" = --files ]; then
    corpus=$2 tracepipe=$3
    shift 3
    work=$(mktemp)
    trap 'rm -f "$work" "$work.profile"' EXIT
    for file; do
        "$tracepipe" --sink stats:level=full,format=json,pc=yes "$corpus/$file" >"$work" 2>/dev/null || true
        for type in net sync syscall sched; do
            want=$(awk -F'\t' -v file="$file" -v oracle="pprof-text-$type" \
                -v old="convert-pprof-$type" \
                '$1 == file && ($2 == oracle || $2 == old) && $3 == "ok" { print $8 }' \
                "$corpus/expected/expected.tsv")
            [ -n "$want" ] || continue
            as_profile $type <"$work" >"$work.profile"
            # A stack of nothing but a PC of 0 is the same as none: Go shows what came last.
            zero=$(awk 'NR == 3 && !/^\t/ { print "\t0x0  :0" } { print }' \
                "$work.profile" | sha256sum)
            got=$(sha256sum <"$work.profile")
            if [ "${got%% *}" = "$want" ] || [ "${zero%% *}" = "$want" ]; then
                echo same
            else
                echo "differs: $file, $type"
            fi
        done
    done
    exit 0
fi

tracepipe=$(realpath -e "$1")
. "$(dirname "$0")/lib.sh"
corpus_find
corpus_work
awk -F'\t' '
    $1 ~ /\/cgo\.trace$/ || $1 == "v1/go1.11/deep.trace" || $3 != "ok" { next }
    ($2 == "summary" && $1 ~ /^v2\//) || ($2 == "convert-summary" && $1 ~ /^v1\//) { print $1 }' \
    "$corpus/expected/expected.tsv" | sample >"$work/files"
xargs -d '\n' -P "$(nproc)" -n 10 "$0" --files "$corpus" "$tracepipe" \
    <"$work/files" >"$work/report"
grep '^differs' "$work/report" || true
same=$(grep -c '^same$' "$work/report")
echo "$(wc -l <"$work/files") files, $same profiles the same"
[ "$same" -gt 0 ] && [ "$same" -eq "$(wc -l <"$work/report")" ]
