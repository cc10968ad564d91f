#!/usr/bin/python3
"""Healthy traces have no finding when they are cut or damaged either, and each finding of a damaged
trace knows that it is one, names its culprit if it has one, and has no worst instance that only what is
lost makes long.

    damaged.py TRACEPIPE [FOLDER]

FOLDER has the traces and manifest.jsonl of tools/faulty-fleet; default: tests/findings/data. Each
trace is cut, and damaged by zeros, by other bytes and by missing ones, at places from one tenth to nine tenths.
Prints a line for each that is not as it must be. Status 1 if there is any line.
"""
import json
import pathlib
import subprocess
import sys
import tempfile

DATA = pathlib.Path(__file__).parent / "data"
DAMAGED_BYTES = 300
MISSING_BYTES = 2000


def ways(trace):
    """Yields names of ways to damage a trace, and what is left of it."""
    for tenths in range(1, 10):
        at = len(trace) * tenths // 10
        end = at + DAMAGED_BYTES
        yield f"cut at {tenths}/10", trace[:at]
        yield f"zeros at {tenths}/10", trace[:at] + bytes(len(trace[at:end])) + trace[end:]
        flipped = bytes(byte ^ 0xFF for byte in trace[at:end])
        yield f"flipped at {tenths}/10", trace[:at] + flipped + trace[end:]
        yield f"missing at {tenths}/10", trace[:at] + trace[at + MISSING_BYTES:]


def report_of(tracepipe, path):
    run = subprocess.run([tracepipe, "-q", "--sink", "stats:format=json", path], capture_output=True)
    return json.loads(run.stdout)


def longest_by_kind(report):
    longest = {}
    for finding in report["findings"]:
        longest[finding["kind"]] = max(finding["max_ns"] or 0, longest.get(finding["kind"], 0))
    return longest


def complaints_of(row, sound, report):
    findings = report["findings"]
    if row["kind"].startswith("healthy") and findings:
        yield f"false: {[finding['kind'] for finding in findings]}"
    if report["damaged_count"] != sum(file.get("has_damage", False) for file in report["traces"]):
        yield f"{report['damaged_count']} damaged files, but not by file"
    if any(finding["culprit"] and not finding["culprit"]["function"] for finding in findings):
        yield "a culprit without a name"
    for kind, ns in longest_by_kind(report).items():
        if kind in sound and ns > sound[kind]:
            yield f"the longest of {kind} is {ns} ns, not {sound[kind]} ns"
    if any(finding["damaged_trace_count"] != report["damaged_count"] for finding in findings):
        yield "a finding that does not know that its trace is damaged"


def main():
    tracepipe = sys.argv[1]
    data = pathlib.Path(sys.argv[2]) if len(sys.argv) > 2 else DATA
    rows = [json.loads(line) for line in (data / "manifest.jsonl").read_text().splitlines()]
    lines, damaged, findings = [], 0, 0
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "trace"
        for row in rows:
            trace = subprocess.run(["zstd", "-qdc", data / row["file"]], capture_output=True,
                                   check=True).stdout
            path.write_bytes(trace)
            sound = longest_by_kind(report_of(tracepipe, path))
            for way, left in ways(trace):
                path.write_bytes(left)
                report = report_of(tracepipe, path)
                damaged += report["damaged_count"]
                findings += len(report["findings"]) if report["damaged_count"] else 0
                lines += [f"{row['file']} {way}: {words}"
                          for words in complaints_of(row, sound, report)]
    print("\n".join([*lines, f"{len(rows)} traces: {damaged} damaged copies, {findings} findings"]))
    sys.exit(bool(lines) or not findings)


main()
