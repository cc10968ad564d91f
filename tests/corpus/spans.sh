#!/bin/bash
# Spans added up are the report of statistics: counts, totals, longest and cut times by state, by reason
# of blocking and by function. The two come from different parts of the program. Bundled traces,
# those of findings, some of the corpus and of its damaged ones; whole, and in a time window.
#
#   spans.sh TRACEPIPE
set -euo pipefail
# shellcheck source=lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
tracepipe=$(realpath -e "$1")
corpus_some_traces v2 v1 damaged
/usr/bin/python3 - "$tracepipe" "${files[@]}" <<'PYTHON'
import collections
import json
import subprocess
import sys

WINDOWS = [[], ["--from", "1ms", "--to", "20ms"]]


# Returns what a sink makes of a trace; with a failure, mostly nothing.
def output(options, sink, path):
    run = subprocess.run([sys.argv[1], "-q", *options, "--sink", sink, path], stdout=subprocess.PIPE,
                         stderr=subprocess.DEVNULL)
    return run.stdout.decode(errors="surrogateescape")


# Sums are [count, total, longest] of whole spans, then the time of cut ones.
def of_report(report):
    sums = {}

    def put(who, kind, x):
        row = [x["count"], x["total_ns"], x["max_ns"], x["cut_ns"]]
        if kind != "lifetime" and (row[0] or row[3]):
            sums[who, kind] = row

    for who, part in [("", report)] + [(f["function"] + "()", f) for f in report["functions"]]:
        for state, x in part["states"].items():
            put(who, state, x)
        for x in part["blocks"]:
            put(who, "waiting: " + x["reason"], x)
    return sums


def of_spans(text):
    spans = [json.loads(line) for line in text.splitlines()]
    sums = collections.defaultdict(lambda: [0, 0, 0, 0])
    # A goroutine has the name of its last span. One that is announced again, which happens only where
    # events are lost, counts as another one.
    lives, names = collections.Counter(), {}
    for s in spans:
        lives[s["goroutine"]] += s["cut"] in ("begin", "both")
        s["life"] = s["goroutine"], lives[s["goroutine"]]
        names[s["life"]] = s["function"] + "()"
    for s in spans:
        kind, ns = s["state"], s["duration_ns"]
        if kind == "waiting":
            kind += ": " + s["reason"]
        if kind == "waiting: forever":
            continue  # no statistics have these
        for who in "", names[s["life"]]:
            row = sums[who, kind]
            if s["cut"]:
                row[3] += ns
            else:
                row[0] += 1
                row[1] += ns
                row[2] = max(row[2], ns)
    return {key: row for key, row in sums.items() if row[0] or row[3]}


failed = compared = added = 0
for path in sys.argv[2:]:
    for window in WINDOWS:
        text = output(window, "stats:format=json", path)
        if not text:
            continue
        report = json.loads(text)
        spans = output(window, "spans:format=jsonl", path)
        want, got = of_report(report.get("doubtful") or report), of_spans(spans)
        wrong = [key for key in {**want, **got} if want.get(key) != got.get(key)]
        for key in wrong[:3]:
            print(path, *window, key, "report", want.get(key), "spans", got.get(key))
        failed += bool(wrong)
        compared += 1
        added += spans.count("\n")
print(f"{compared} reports compared with the sums of {added} spans, {failed} differ")
sys.exit(failed > 0 or compared < 40)
PYTHON
