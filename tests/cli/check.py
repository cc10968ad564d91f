#!/usr/bin/env python3
"""Compares the figures of checks with those of the JSON: makes a check `== VALUE` of each figure of all
names in the JSON of each trace, and of all traces together, and expects that all hold; also by the
state of the same traces.

    check.py TRACEPIPE TRACE...
"""
import json
import os
import subprocess
import sys
import tempfile

STATES = {"runnable": "runnable", "running": "running", "syscall": "syscall"}
QUANTILES = {"p50": "p50_ns", "p90": "p90_ns", "p99": "p99_ns", "p99.9": "p999_ns", "max": "max_ns"}


def run(tracepipe, *words):
    return subprocess.run([tracepipe, *words], capture_output=True, check=False)


def bracketed(name):
    return '("' + name.replace("\\", "\\\\").replace('"', '\\"') + '")'


def total(dist):
    return dist["total_ns"] + dist["cut_ns"]


def share(part, whole):
    return (2 * part * 1000000 + whole) // (2 * whole) if whole > 0 else 0


def sums(name, dists, whole):
    """The figures that add up, of several distributions."""
    yield f"{name}.count == {sum(d['count'] + d['cut_count'] for d in dists)}"
    yield f"{name}.total == {sum(map(total, dists))}ns"
    ppm = share(sum(map(total, dists)), whole)
    yield f"{name}.share == {ppm // 10000}.{ppm % 10000:04}%"


def lengths(name, dists):
    """The lengths of whole durations; percentiles only of one distribution."""
    count = sum(d["count"] for d in dists)
    if count == 0:
        return
    yield f"{name}.mean == {sum(d['total_ns'] for d in dists) // count}ns"
    yield f"{name}.max == {max(d['max_ns'] for d in dists)}ns"
    for figure, key in QUANTILES.items() if len(dists) == 1 else ():
        yield f"{name}.{figure} == {dists[0][key]}ns"


def states(prefix, row):
    kept = {state: [d] for state, d in row["states"].items() if state in STATES}
    if row["blocks"]:
        kept["blocked"] = row["blocks"]
    whole = sum(total(d) for dists in kept.values() for d in dists)
    for state, dists in kept.items():
        yield from sums(prefix + state, dists, whole)
        yield from lengths(prefix + state, dists)


def checks_of(document):
    yield from states("", document)
    for row in document["functions"]:
        yield from states(f"function{bracketed(row['function'])}.", row)
    started = {row["function"] for row in document["functions"]}
    wrapped = [row["function"] for row in document["wrapped_functions"]]
    for row in document["wrapped_functions"]:
        # Of one that several start functions wrap, or that is one itself, the check has the sum.
        if row["function"] not in started and wrapped.count(row["function"]) == 1:
            of = {"states": row, "blocks": [row["blocked"]]}
            yield from states(f"function{bracketed(row['function'])}.", of)
    for key, word in ("tasks", "task"), ("regions", "region"):
        whole = sum(map(total, document[key]))
        for row in document[key]:
            name = word + bracketed(row["name"])
            yield from sums(name, [row], whole)
            yield from lengths(name, [row])
    gc = document["utilisation"]
    taken = sum(v for k, v in gc.items() if k.endswith("_running_ns"))
    if gc["running_ns"] > 0:
        ppm = share(taken, gc["running_ns"])
        yield f"gc.share == {ppm // 10000}.{ppm % 10000:04}%"
    kinds = [f["kind"] for f in document["findings"]]
    for kind in set(kinds):
        yield f"findings.{kind} == {kinds.count(kind)}"


def is_line(check):
    return "\n" not in check and "\r" not in check and "\0" not in check


def compare(tracepipe, folder, inputs):
    document = json.loads(run(tracepipe, "--sink", "stats:format=json", *inputs).stdout.decode(
        "utf-8", "surrogateescape"))
    checks = sorted(filter(is_line, checks_of(document)))
    wanted = f"checks: 1 of {len(checks) + 1} failed"
    listed, state = os.path.join(folder, "list"), os.path.join(folder, "state")
    with open(listed, "w", encoding="utf-8", errors="surrogateescape") as file:
        file.write("\n".join(checks + ["running.count == 1234567890123"]))
    run(tracepipe, "--sink", "stats:format=state", "-f", "-o", state, *inputs)
    for of in inputs, [state]:
        said = run(tracepipe, "-q", "--sink", "null", "-o", "/dev/null", "--checks", listed, *of)
        lines = said.stderr.decode("utf-8", "replace").splitlines()
        if wanted not in lines or said.returncode != 4:
            print(inputs[:2], said.returncode, *lines[:20], sep="\n")
            return -1
    return len(checks)


def main():
    tracepipe, *traces = sys.argv[1:]
    counts = []
    with tempfile.TemporaryDirectory() as folder:
        for inputs in [[trace] for trace in traces] + [traces]:
            counts.append(compare(tracepipe, folder, inputs))
    print(sum(counts), "checks of", len(traces), "traces and all of them")
    sys.exit(min(counts) < 0 or sum(counts) < 1000)


main()
