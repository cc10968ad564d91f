#!/bin/bash
# Intervals of the C library added up are the report of statistics: counts, totals, longest and cut times
# of tasks, regions, stops of the world, mark phases, assists, sweeps and lives, and the time for
# which Ps ran is that of the curve over time. Bundled traces, those of findings, some of the corpus and of its
# damaged ones.
#
#   intervals.sh TRACEPIPE INTERVALS
set -euo pipefail
# shellcheck source=lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
tracepipe=$(realpath -e "$1")
intervals=$(realpath -e "$2")
corpus_some_traces v2 v1 damaged
/usr/bin/python3 - "$tracepipe" "$intervals" "${files[@]}" <<'PYTHON'
import collections
import json
import subprocess
import sys


def output(*command):
    run = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
    return run.stdout.decode(errors="surrogateescape")


def bytes_of(text):
    return text.encode(errors="surrogateescape")


# Sums are [count, total, longest] of whole intervals, then the number and time of cut ones.
def of_report(report):
    rows = [(kind, bytes_of(x.get("name", "")), x)
            for kind, part in (("TASK", "tasks"), ("REGION", "regions"), ("PAUSE", "pauses"),
                               ("MARK", "mark_phases"), ("ASSIST", "assists"), ("SWEEP", "sweeps"))
            for x in report[part]]
    rows += [("LIFE", bytes_of(f["function"]), f["states"]["lifetime"])
             for f in report["functions"] if "lifetime" in f["states"]]
    sums = {(kind, name): [x["count"], x["total_ns"], x["max_ns"], x["cut_count"], x["cut_ns"]]
            for kind, name, x in rows}
    return {key: row for key, row in sums.items() if any(row)}


def of_intervals(rows):
    sums = collections.defaultdict(lambda: [0, 0, 0, 0, 0])
    for x in rows:
        ns = x["end_ns"] - x["begin_ns"]
        row = sums[x["kind"], x["name"].encode("latin-1")]
        if x["had_begun"] or x["goes_on"]:
            row[3] += 1
            row[4] += ns
        else:
            row[0] += 1
            row[1] += ns
            row[2] = max(row[2], ns)
    return dict(sums)


failures = checked = 0
for path in sys.argv[3:]:
    text = output(sys.argv[1], "-q", "--sink", "stats:format=json", path)
    if not text:
        continue
    rows = [json.loads(line) for line in output(sys.argv[2], path).splitlines()]
    got, want = of_intervals(rows), of_report(json.loads(text))
    procs = [x for x in rows if x["kind"] == "PROC"]
    got = {key: row for key, row in got.items() if key[0] != "PROC"}
    checked += len(got) + len(procs)
    bad = [key for key in sorted(got.keys() | want.keys()) if got.get(key) != want.get(key)]
    # A P runs on one thread at a time, and the curve over time has all its runs.
    buckets = (json.loads(text)["timeline"] or {}).get("buckets", [])
    if buckets and sum(b["procs_ns"] for b in buckets) != sum(
            x["end_ns"] - x["begin_ns"] for x in procs):
        bad.append(("PROC", "all"))
    last_ns = {}
    for x in procs:
        if x["begin_ns"] < last_ns.get(x["proc"], x["begin_ns"]) or x["thread"] < 0:
            bad.append(("PROC", x["proc"]))
        last_ns[x["proc"]] = x["end_ns"]
    for key in bad[:5]:
        print(path, key, "intervals", got.get(key), "report", want.get(key))
    failures += len(bad)
print(checked, "sums and runs of Ps,", failures, "wrong")
sys.exit(failures > 0 or checked < 1000)
PYTHON
