#!/bin/bash
# The goroutines that `stats:level=full` tells one by one against those of level=summary, which
# are Go's: running, waiting for a P, in system calls and blocked, of every goroutine of the
# sound traces, bundled ones and the corpus's.
#
#   goroutines.sh TRACEPIPE
set -euo pipefail
export LC_ALL=C
root=$(cd "$(dirname "$0")/../.." && pwd)
tracepipe=$(realpath -e "$1")
corpus=$(realpath -m "${TRACEPIPE_CORPUS:-$root/../shared/corpus}")
files=("$root"/tests/data/traces/go*.trace)
if [ -d "$corpus/v2" ]; then
    mapfile -t -O ${#files[@]} files < <(find "$corpus/v2" -type f -size -2000k | sort)
elif [ "${TRACEPIPE_REQUIRE_CORPUS:-0}" = 1 ]; then
    echo "no corpus in $corpus"
    exit 1
fi
/usr/bin/python3 - "$tracepipe" "${files[@]}" <<'PYTHON'
import json
import subprocess
import sys


def lines(sink, path):
    run = subprocess.run([sys.argv[1], "-q", "--sink", sink, path], stdout=subprocess.PIPE)
    return None if run.returncode != 0 else run.stdout.decode(errors="surrogateescape")


def state_times(g):
    # fix=yes: what is still in a blocked system call is so once.
    return (g["execTime"], g["schedWaitTime"], g["syscallTime"] + g["syscallBlockTime"],
            sum(t for reason, t in g["blockTimeByReason"].items() if reason != "forever"))


compared = failed = skipped = 0
for path in sys.argv[2:]:
    full = lines("stats:format=json,by=goroutine,keep=1000000", path)
    summary = lines("stats:level=summary,fix=yes", path)
    if full is None or summary is None:
        continue  # damaged
    ones = {}
    for one in json.loads(full)["top_goroutines"]:
        ones.setdefault(one["id"], []).append(one)
    for line in summary.splitlines():
        if not line.startswith('{"goroutine"'):
            continue
        g = json.loads(line)["goroutine"]
        found = ones.get(g["id"], [])
        if len(found) > 1:
            skipped += 1  # an id that came back from C: Go keeps the last life
            continue
        got = [found[0][k] for k in
               ("running_ns", "runnable_ns", "syscall_ns", "blocked_ns")] if found else []
        compared += 1
        if tuple(got) != state_times(g):
            failed += 1
            if failed <= 20:
                print(f"{path}: goroutine {g['id']}: {got}, not {state_times(g)}")
print(f"{compared} goroutines compared, {failed} differ, {skipped} with an id used twice")
sys.exit(failed > 0 or compared < 100)
PYTHON
