#!/bin/bash
# `list` against the other sinks: of every trace of the corpus but the largest
#
#   - its counts are those of footprint, and its damage and size those of stats;
#   - its batches are those that text prints, with the same owner, generation and ticks, and
#     their bytes add up to the trace, with its header, its end marks and what was lost;
#   - times of older traces are those of the formula, applied to the times of the text, and
#     how long later ones take is what stats says;
#   - neither depends on how the input was cut into chunks.
#
#   list.sh TRACEPIPE
set -euo pipefail
. "$(dirname "$0")/lib.sh"
tracepipe=$(realpath -e "$1")
corpus_find
corpus_work
mapfile -t files < <(find "$corpus"/{v1,v2,text,damaged,public} -type f -size -4M | sort | sample)
/usr/bin/python3 - "$tracepipe" "$work" "${files[@]}" <<'PYTHON'
import json
import os
import re
import subprocess
import sys

NOBODY = 2**64 - 1
TABLES = {"Batch", "Frequency", "TimerGoroutine", "String", "Stack", "CPUSample"}
program, work, paths = sys.argv[1], sys.argv[2], sys.argv[3:]
failed = compared = refused = 0


def make(sink, path, *flags):
    out = os.path.join(work, "out")
    if os.path.exists(out):
        os.unlink(out)
    run = subprocess.run([program, "-q", *flags, "--sink", sink, "-o", out, path],
                         stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    if run.returncode > 1:
        raise SystemExit(f"FAIL {path}: {sink} exits with {run.returncode}")
    if not os.path.exists(out):
        return ""
    with open(out, encoding="latin-1", newline="\n") as f:
        return f.read()


def footprint(table):
    counts = {}
    for line in table.split("\n")[2:]:
        m = re.fullmatch(r"(.*?) +(\d+) +\S+ +(\d+) +\S+", line)
        if m:
            counts[m[1]] = int(m[3])
    return counts


def signed(number):
    return number - 2**64 if number >= 2**63 else number


def owner(text):
    return None if int(text) == NOBODY else signed(int(text))


def later_batches(text):
    """(generation, owner, ticks) of each"""
    for line in text.split("\n"):
        if line.startswith(("EventBatch ", "ExperimentalBatch ")):
            args = dict(f.split("=") for f in line.split(" ")[1:])
            yield int(args["gen"]), owner(args["m"]), int(args["time"])


def older_batches(text):
    """[None, owner, ticks, time of the first event, time of the last] of each"""
    batches, frequency, dt_ticks = [], 0, 0
    for line in text.split("\n")[1:]:
        if not line or line[0] == "\t":
            continue
        name, *fields = line.split(" ")
        args = dict(f.split("=") for f in fields)
        if name == "Batch":
            batches.append([None, owner(args["p"]), int(args["ticks"]), None, None])
            dt_ticks = int(args["ticks"])
        elif name == "Frequency":
            frequency = int(args["freq"]) or frequency
        if "dt" in args:
            dt_ticks = (dt_ticks + int(args["dt"])) % 2**64
        if name not in TABLES and batches:
            last = batches[-1]
            last[3] = dt_ticks if last[3] is None else last[3]
            last[4] = dt_ticks
    return batches, signed(frequency)


def older_times(file, text):
    batches, frequency = older_batches(text)
    if [tuple(b[:3]) for b in batches] != told(file):
        yield "batches are not those of text"
        return
    timed = [b for b in batches if b[3] is not None]
    for batch, seen in zip(batches, file["batches"]):
        if seen["kind"] != ("events" if batch[3] is not None else "tables"):
            yield f"batch at {seen['offset']} is none of {seen['kind']}"
    if not timed or frequency <= 0:
        if file["duration_ns"] is not None or any(b["ns"] is not None for b in file["batches"]):
            yield "times without a clock"
        return
    first, last = min(signed(b[3]) for b in timed), max(signed(b[4]) for b in timed)
    per_tick = 1e9 / float(frequency)
    if (file["first_ticks"], file["last_ticks"]) != (first, last):
        yield f"from {file['first_ticks']} to {file['last_ticks']}, by the text {first}, {last}"
    if last >= first and file["duration_ns"] != int(float(last - first) * per_tick):
        yield f"takes {file['duration_ns']} ns"
    for batch, seen in zip(batches, file["batches"]):
        if seen["ns"] != int(float(signed(batch[2]) - first) * per_tick):
            yield f"batch at {seen['offset']} begins at {seen['ns']} ns"


def told(file):
    return [(b["generation"], b["owner"], b["ticks"]) for b in file["batches"]]


def framing_bytes(file, table):
    """What is in no batch, of the wire form"""
    return (8 if file["go_minor"] == 0 else 16) + table.get("EndOfGeneration", 0)


def differences(path):
    global refused
    document = make("list:batches=yes,format=json", path)
    files = json.loads(document)["traces"]
    if files[0]["status"] == "refused":
        refused += 1
        return
    file, text = files[0], make("text:header=yes", path)
    table = footprint(make("footprint", path))
    stats = json.loads(make("stats:level=counts,format=json", path))["traces"][0]
    for key, want in (("events", sum(table.values())), ("string_count", table.get("String", 0)),
                      ("stack_count", table.get("Stack", 0)), ("batch_count", stats["batch_count"]),
                      ("generation_count", stats["generation_count"]),
                      ("stored_bytes", stats["stored_bytes"]),
                      ("stream_bytes", stats["stream_bytes"]),
                      ("damage_count", stats["damage_count"]),
                      ("lost_bytes", stats["lost_bytes"]),
                      ("undecoded_bytes", stats["undecoded_bytes"]),
                      ("complete", stats["complete"])):
        if file[key] != want:
            yield f"{key}: {file[key]}, elsewhere {want}"
    if file["batch_count"] != len(file["batches"]):
        yield "not all batches"
    if file["generation_count"] != len(file["generations"]):
        yield "not all generations"
    in_generations = sum(g["batch_count"] for g in file["generations"])
    if in_generations != (len(file["batches"]) if file["go_minor"] > 21 else 0):
        yield "batches are not those of the generations"
    end = 0
    for b in file["batches"]:
        if b["offset"] < end:
            yield f"batch at {b['offset']} begins before the end of the one before"
        end = b["offset"] + b["bytes"]
    sum_bytes = sum(b["bytes"] for b in file["batches"])
    told_bytes = sum_bytes + file["lost_bytes"] + framing_bytes(file, table)
    if file["batches"] and told_bytes != file["stream_bytes"]:
        yield f"{sum_bytes} bytes in batches of {file['stream_bytes']}"
    if file["go_minor"] < 22:
        yield from older_times(file, text)
    else:
        # Behind an event that cannot be read the text may find batches inside of batches.
        lines = later_batches(text)
        if not all(b in lines for b in told(file)) or \
                (next(lines, None) and file["undecoded_bytes"] == 0):
            yield "batches are not those of text"
        if file["duration_ns"] != stats["duration_ns"]:
            yield f"takes {file['duration_ns']} ns, says stats {stats['duration_ns']}"
    if make("list:batches=yes,format=json", path, "-j1", "--io", "pread", "--chunk-size",
            "64KiB") != document:
        yield "depends on chunks"


for path in paths:
    compared += 1
    for what in differences(path):
        failed += 1
        print(f"FAIL {path}: {what}")
print(f"{compared} traces, {refused} of them refused, {failed} failures")
sys.exit(failed > 0 or compared == refused)
PYTHON
