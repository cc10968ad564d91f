#!/usr/bin/python3
"""Compares what tracepipe says of a fleet with what was planted.

    judge-hosts.py OUTDIR REPORT.json

OUTDIR is a folder that `run --hosts N` filled, or one of its nights; REPORT.json, or - for standard
input, is what `tracepipe --sink stats:format=json,level=full` makes of the traces below it. Prints
the sick hosts that are found and those that are missed, healthy ones that are accused, and odd ones
that are listed. Status 1 if a sick host is missed or a healthy one accused.
"""
import json
import pathlib
import re
import statistics
import sys

# Keys of the report.
LIST = "differs"  # rows of hosts, the worst first
HOST = "host"  # of a row: anything that has the name of one host in it
SAID = ("measure", "name", "value", "fleet_value")  # printed of a difference

# A report without that list: a plain distance of the figures of each trace from their medians.
FAR = 12


def figures(report):
    """Yields (host, measure, value, least deviation that counts)."""
    for row in report["traces"]:
        host, took, procs = row["trace"], row["duration_ns"], row["gomaxprocs_ns"]
        yield host, "lock", row["lock_wait_ns"] / took, 0.003
        yield host, "gc", row["gc_ns"] / procs, 0.005
        yield host, "syscall", row["syscall_ns"] / took, 0.015
        yield host, "runnable", row["runnable_ns"] / procs, 0.06
        yield host, "blocked", (row["blocked_ns"] - row["idle_wait_ns"]) / took, 0.3
        for finding in row["finding_values"]:
            if finding["kind"] == "channel":
                yield host, "channel", finding["value"], 0.05
    for row in report["tasks_by_trace"]:
        if row["count"] >= 5:
            for key, least in (("p50_ns", 0.05), ("p99_ns", 0.5)):
                yield row["trace"], f"{row['name']} {key}", row[key], row[key] * least + 1e4


def plain_rows(report):
    by_measure = {}
    for host, measure, value, least in figures(report):
        by_measure.setdefault(measure, []).append((host, value, least))
    rows = []
    for measure, values in by_measure.items():
        middle = statistics.median(value for _, value, _ in values)
        spread = 1.4826 * statistics.median(abs(value - middle) for _, value, _ in values)
        for host, value, least in values:
            far = (value - middle) / max(spread, least)
            if far > FAR:
                rows.append((far, {HOST: host, "measure": measure, "value": value, "fleet_value": middle}))
    return [row for _, row in sorted(rows, key=lambda row: -row[0])]


def main(folder, path):
    report = json.load(sys.stdin if path == "-" else open(path))
    folder = pathlib.Path(folder)
    here = (folder / "manifest.jsonl").exists()
    lines = (folder if here else folder.parent).joinpath("manifest.jsonl").read_text().splitlines()
    hosts = [json.loads(line) for line in lines]
    if not here:
        hosts = [host for host in hosts if host.get("night") == folder.name]
    listed = {}
    for row in report[LIST] if LIST in report else plain_rows(report):
        name = re.search(r"host-\d+", str(row[HOST]))
        if not name:
            sys.exit(f"no host is named in {row}")
        listed.setdefault(name[0], []).append(row)
    counts = dict.fromkeys(("found", "missed", "accused", "odd"), 0)
    for host in sorted(hosts, key=lambda host: (host.get("sick", "~"), host["host"])):
        rows = listed.get(host["host"], [])
        sick = host.get("sick")
        if not rows and not sick:
            continue
        verdict = ("found" if rows else "missed") if sick else "odd" if "odd" in host else "accused"
        counts[verdict] += 1
        planted = f"{sick} {host['strength']} {host['unit']}" if sick else host.get("odd", "healthy")
        said = "; ".join(
            " ".join(f"{of[key]:.4g}" if isinstance(of[key], float) else str(of[key])
                     for key in SAID if of.get(key) is not None)
            for row in rows for of in row.get("differences", [row]))
        beside = " (beside other work)" if "beside" in host else ""
        print(f"{verdict:8}{host['host']}  {planted}{beside}, starved {host['measured']['starved']}"
              + (f"  <-  {said}" if said else ""))
    healthy = sum("sick" not in host for host in hosts)
    print(f"{counts['found']} of {len(hosts) - healthy} sick hosts found, {counts['accused']} of "
          f"{healthy} healthy ones accused, {counts['odd']} odd ones listed")
    return bool(counts["missed"] or counts["accused"])


if len(sys.argv) != 3:
    sys.exit(__doc__)
sys.exit(main(*sys.argv[1:]))
