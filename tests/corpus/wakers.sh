#!/bin/bash
# The table "blocked time by waker": it comes to all waits for other goroutines, less what
# the ends of the trace cut; and each row is that of the events, in which `events` tells who ended
# which wait. Bundled traces, those of findings, and some of the corpus.
#
#   wakers.sh TRACEPIPE
set -euo pipefail
# shellcheck source=lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
tracepipe=$(realpath -e "$1")
corpus_some_traces
/usr/bin/python3 - "$tracepipe" "${files[@]}" <<'PYTHON'
import collections
import json
import re
import subprocess
import sys

TRANSITION = re.compile(r"M=\S+ P=\S+ G=\S+ StateTransition Time=(\d+) GoID=(\d+) "
                        r"(\w+)->(\w+) Reason=\"(.*)\"$")


# Whether goroutines blocked for this reason wait for other goroutines.
def has_waker(reason):
    return any(word in reason for word in ("chan", "sync", "select")) and reason != "forever"


def output(sink, path):
    run = subprocess.run([sys.argv[1], "-q", "--sink", sink, path], stdout=subprocess.PIPE)
    return None if run.returncode != 0 else run.stdout.decode(errors="surrogateescape")


# Yields each transition of a goroutine with its stacks: a list of functions for each of
# "Stack", of the goroutine that caused the event, and "TransitionStack", of the one it happens to.
def transitions(text):
    found, stack = None, None
    for line in text.splitlines():
        match = TRANSITION.match(line)
        if not line.startswith(("\t", " ")) and line and not line.endswith("="):
            if found:
                yield found
            found = match and (int(match[1]), int(match[2]), match[3], match[4], match[5], {})
            stack = None
        elif found and line in ("Stack=", "TransitionStack="):
            stack = found[5].setdefault(line[:-1], [])
        elif found and stack is not None and line.startswith("\t") and " @ " in line:
            stack.append(line[1:].partition(" @ ")[0])
            if line == "\t @ 0x0":
                stack.clear()  # a stack that the trace does not have
    if found:
        yield found


# Blocked time by the functions of the waker's stack: {functions: [count, ns]}.
def wakers(text):
    since, sums = {}, collections.defaultdict(lambda: [0, 0])
    for time, g, old, new, reason, stacks in transitions(text):
        if old == "Waiting" and new != "Waiting" and g in since:
            begin, why = since.pop(g)
            if new == "Runnable" and has_waker(why):
                row = sums[tuple(stacks.get("Stack", []))]
                row[0] += 1
                row[1] += time - begin
        if new == "Waiting" and old != "Undetermined" and old != "Waiting":
            since[g] = (time, reason)
        elif new != "Waiting" or old == "Undetermined":
            since.pop(g, None)
    return {k: tuple(v) for k, v in sums.items()}


compared = rows = failed = 0
for path in sys.argv[2:]:
    text = output("stats:format=json", path)
    if text is None:
        continue  # damaged
    report = json.loads(text)
    blocked = [b for b in report["blocks"] if has_waker(b["reason"])]
    table = report["wakers"] + [report["other_wakers"]]
    compared += 1
    for key in "count", "total_ns":
        want, got = sum(b[key] for b in blocked), sum(w[key] for w in table)
        if want != got:
            failed += 1
            print(f"{path}: {key} {got}, but blocked {want}")
    sums = collections.defaultdict(lambda: [0, 0])
    for row in report["wakers"]:
        of = sums[tuple(f["function"] for f in row["frames"])]
        of[0] += row["count"]
        of[1] += row["total_ns"]
        for key in "count", "total_ns":
            if row[key] != sum(w[key] for w in row["waiters"]):
                failed += 1
                print(f"{path}: waiters of {row['function']} differ in {key}")
    events = output("events", path)
    if events is None or report["other_wakers"]["count"] > 0:
        continue
    want, got = wakers(events), {k: tuple(v) for k, v in sums.items()}
    rows += len(want)
    for key in sorted(set(want) | set(got)):
        if want.get(key) != got.get(key):
            failed += 1
            if failed <= 20:
                print(f"{path}: {';'.join(key)}: {got.get(key)}, by events {want.get(key)}")
print(f"{compared} traces, {rows} wakers compared, {failed} differences")
sys.exit(failed > 0 or compared == 0)
PYTHON
