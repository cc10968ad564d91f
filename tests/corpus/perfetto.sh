#!/bin/bash
# Pictures in Perfetto's own SQL engine: it loads them without an error counted, slices nest and have ends, and the
# times of states, flows and log messages are those of `spans` and `stats`. Bundled traces, those of findings,
# and some of the corpus. Needs the engine that ../shared/perfetto/setup.sh installs; without: skipped.
#
#   perfetto.sh TRACEPIPE
set -euo pipefail
# shellcheck source=lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
tracepipe=$(realpath -e "$1")
shared=$(realpath -m "${TRACEPIPE_CORPUS:-$(dirname "$0")/../../../shared/corpus}/../perfetto")
python=${XDG_CACHE_HOME:-$HOME/.cache}/tracepipe-perfetto/venv/bin/python
if [ ! -x "$python" ] || [ ! -r "$shared/sql.py" ]; then
    echo "no SQL engine of Perfetto: run setup.sh of $shared"
    exit 77
fi
corpus_some_traces
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
bad=0 count=0

# states TRACE: state, number of spans, and their time.
states() {
    "$tracepipe" -q --sink spans:format=jsonl "$1" | /usr/bin/python3 -c '
import collections, json, sys
count, total = collections.Counter(), collections.Counter()
for line in sys.stdin.buffer:
    row = json.loads(line.decode(errors="replace"))
    count[row["state"]] += 1
    total[row["state"]] += row["duration_ns"]
for state in sorted(count):
    print(state, count[state], total[state])'
}

for file in "${files[@]}"; do
    "$tracepipe" -q --sink perfetto -o "$work/picture" "$file" 2>/dev/null || continue
    states "$file" >"$work/want"
    "$python" "$shared/sql.py" "$work/picture" \
        "select category || ' ' || count(*) || ' ' || sum(dur) as row from slice
         where category in ('running', 'runnable', 'waiting', 'syscall') group by category
         order by category" \
        "select 'open ' || count(*) as row from slice where dur < 0 having count(*) > 0" \
        "select 'nested ' || count(*) as row from slice where depth > 0 and category in
         ('running', 'runnable', 'waiting', 'syscall', 'proc', 'thread') having count(*) > 0" \
        "select 'unnamed ' || count(*) as row from slice join track on track.id = track_id
         where track.name is null having count(*) > 0" |
        sed -E 's/^\{"row": "(.*)"\}$/\1/' >"$work/got" || true
    if ! diff "$work/want" "$work/got" >"$work/diff"; then
        echo "$file:"
        head -n 6 "$work/diff"
        bad=1
    fi
    rm "$work/picture"
    count=$((count + 1))
done
echo "$count pictures"
[ $bad = 0 ] && [ $count -gt 20 ]
