#!/bin/bash
# Counts of traces from before Go 1.22, of which Go has no reader that prints them as they
# are: held against the lines of `--sink text`. Of every trace of the corpus's folder v1
#
#   - footprint counts by type what text prints a line of, and so does stats:level=counts;
#   - bytes by type and what the text says of padding add up to the file, with its header
#     and what was lost;
#   - goroutines, threads and batches are those that the text names, and the duration is
#     that of the times in it;
#   - neither depends on how the input was cut into chunks.
#
#   counts-v1.sh TRACEPIPE
set -euo pipefail
. "$(dirname "$0")/lib.sh"
tracepipe=$(realpath -e "$1")
corpus_find
corpus_work
mapfile -t files < <(find "$corpus/v1" -type f | sort | sample)
/usr/bin/python3 - "$tracepipe" "$work" "${files[@]}" <<'PYTHON'
import collections
import json
import os
import re
import subprocess
import sys

NO_P = 2**64 - 1
TABLES = {"Batch", "Frequency", "TimerGoroutine", "String", "Stack"}
program, work, paths = sys.argv[1], sys.argv[2], sys.argv[3:]
failed = compared = 0


def make(sink, path, *flags):
    out = os.path.join(work, "out")
    run = subprocess.run([program, "-q", *flags, "--sink", sink, "-o", out, "--force", path],
                         stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    if run.returncode > 1:
        raise SystemExit(f"FAIL {path}: {sink} exits with {run.returncode}")
    with open(out, encoding="latin-1", newline="\n") as f:
        return f.read()


class Text:
    """What can be said of a trace by its lines."""

    def __init__(self, text):
        self.count = collections.Counter()
        self.padding = 0
        self.goroutines, self.threads, self.ps = set(), set(), set()
        self.times, self.frequency = [], 0
        p = batch = None
        for line in text.split("\n")[1:]:
            if not line or line[0] == "\t":
                continue
            name, *fields = line.split(" ")
            args = dict(f.split("=") for f in fields)
            self.count[name] += 1
            self.padding += int(args.get("pad", 0))
            if name == "Batch":
                p, batch = int(args["p"]), [int(args["ticks"])] * 2
            elif name == "Frequency":
                self.frequency = int(args["freq"])
            elif name == "GoCreate":
                self.goroutines.add(args["g"])
            elif name == "ProcStart" and "thread" in args:
                self.threads.add(args["thread"])
            if name in TABLES or batch is None:
                continue
            batch[1] = (batch[1] + int(args["dt"])) % 2**64
            if name != "CPUSample":
                self.ps.add(p)
                if not self.times or self.times[-1] is not batch:
                    self.times.append(batch)

    def duration_ns(self):
        if not self.times or not self.frequency:
            return None
        first, last = min(t[0] for t in self.times), max(t[1] for t in self.times)
        factor = 1 / (self.frequency / 1e9)
        return int(last * factor) - int(first * factor)


def footprint(table):
    rows = {}
    for line in table.split("\n")[2:]:
        m = re.fullmatch(r"(.*?) +(\d+) +\S+ +(\d+) +\S+", line)
        if m and m[3] != "0":
            rows[m[1]] = {"count": int(m[3]), "bytes": int(m[2])}
    return rows


def differences(path):
    text = Text(make("text", path))
    table = make("footprint", path)
    rows = footprint(table)
    document = make("stats:level=counts,format=json", path)
    figures = json.loads(document)["traces"][0]
    if {name: row["count"] for name, row in rows.items()} != text.count:
        yield "footprint does not count the lines of text"
    if {row.pop("type"): row for row in figures["events_by_type"]} != rows:
        yield "stats and footprint differ"
    with open(path, "rb") as f:
        header = 8 if f.read(8) == b"gotrace\0" else 16
    told = sum(row["bytes"] for row in rows.values()) + header + text.padding
    if told + figures["lost_bytes"] + figures["undecoded_bytes"] != os.path.getsize(path):
        yield f"{told} bytes told of {os.path.getsize(path)}"
    for key, want in (("batch_count", text.count["Batch"]), ("events", text.count.total()),
                      ("goroutine_count", len(text.goroutines)), ("thread_count", len(text.threads)),
                      ("proc_count", len(text.ps - {NO_P})), ("string_count", text.count["String"]),
                      ("stack_count", text.count["Stack"]), ("cpu_samples", text.count["CPUSample"]),
                      ("duration_ns", text.duration_ns())):
        if figures[key] != want:
            yield f"{key}: {figures[key]}, by the text {want}"
    flags = ("-j1", "--io", "pread", "--chunk-size", "64KiB")
    if make("footprint", path, *flags) != table:
        yield "footprint depends on chunks"
    if make("stats:level=counts,format=json", path, *flags) != document:
        yield "stats depends on chunks"


for path in paths:
    compared += 1
    for what in differences(path):
        failed += 1
        print(f"FAIL {path}: {what}")
print(f"{compared} traces, {failed} failures")
sys.exit(failed > 0 or compared == 0)
PYTHON
