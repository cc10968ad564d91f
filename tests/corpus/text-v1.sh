#!/bin/bash
# The text of every trace of Go 1.5 to 1.21 in the corpus. Read back by --sink raw it is the
# trace, byte for byte. Its lines are the events that the parser of such a release reads:
# as many as recorded, and where the answer itself lies in expected/full, of the same types
# with the same arguments, stacks and strings, in the order of the file.
#
#   text-v1.sh TRACEPIPE [TRACE...]      TRACEs are more to be read back
#
# TRACEPIPE_SAMPLE=N looks at N traces, evenly spread.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
tracepipe=$(realpath -e "$1")
shift
corpus_find
corpus_work
awk -F'\t' '$3 == "v1" && $1 ~ /^v1\// { print $1 }' "$corpus/MANIFEST.tsv" | sample >"$work/list"
exec 3<"$work/list"
/usr/bin/python3 - "$tracepipe" "$corpus" "$work" "$@" <<'PYTHON'
import os
import subprocess
import sys

tracepipe, corpus, work, *others = sys.argv[1:]
TABLES = {"Batch", "String", "Stack", "Frequency", "TimerGoroutine"}
# What the parser takes Local events for, once they have told it the order.
SAME = {"GoStartLocal": "GoStart", "GoUnblockLocal": "GoUnblock",
        "GoSysExitLocal": "GoSysExit"}
SLOTS = 3
failures = checks = 0


def check(ok, path, what):
    global failures, checks
    checks += 1
    if not ok:
        failures += 1
        print(f"FAIL {path}: {what}")


def write(sink, path, to):
    with open(to, "wb") as f:
        subprocess.run([tracepipe, "-q", "--sink", sink, path], stdout=f)


def check_way_back(path, text):
    back = os.path.join(work, "back")
    write("text", path, text)
    write("raw", text, back)
    same = subprocess.run(["cmp", "-s", path, back]).returncode == 0
    check(same, path, "its text does not give its bytes back")


class Line:
    def __init__(self, line):
        self.name, *args = line.split()
        self.args = dict(a.split("=") for a in args)
        self.data = None


def read_text(path):
    lines = []
    with open(path, encoding="utf-8", newline="\n") as f:
        next(f)
        for line in f:
            if line.startswith("\tdata="):
                lines[-1].data = line[len("\tdata="):-1]
            elif not line.startswith("\t"):
                lines.append(Line(line))
    return lines


def strings_of(line, strings):
    a = {k: strings.get(v, '""') for k, v in line.args.items() if k.endswith("_string")}
    if line.name == "UserLog":
        return a["key_string"] + "," + line.data
    return ",".join(a.values()) or "-"


def row_of(line, strings):
    args = {k: v for k, v in line.args.items() if k not in ("dt", "dseq")}
    # A goroutine's first start gets the stack that the parser found for it.
    stack = args.pop("stack", "0")
    slots = list(args.values())
    if line.name == "CPUSample":
        slots[0] = "0"  # its time, which is a column of its own
    name = SAME.get(line.name, line.name)
    return (name, ",".join((slots + ["0"] * SLOTS)[:SLOTS]),
            None if name.startswith("GoStart") else stack, strings_of(line, strings))


def answer_row(columns):
    _, _, name, _, _, stack, slots, strings = columns[:8]
    name = name.replace("GCSTW", "STW")  # its name up to Go 1.20
    # Words for the kind of a pause are no strings of the trace.
    return (name, slots, None if name.startswith("GoStart") else stack,
            "-" if name == "STWStart" else strings)


def check_events(file, text, recorded, full):
    lines = read_text(text)
    # The parser leaves out whole sequences around these; no trace here has any.
    check(all(x.name != "FutileWakeup" for x in lines), file, "has futile wake-ups")
    strings = {x.args["id"]: x.data for x in lines if x.name == "String"}
    rows = [row_of(x, strings) for x in lines if x.name not in TABLES]
    check(len(rows) == recorded, file, f"{len(rows)} events, not {recorded}")
    if not os.path.exists(full):
        return 0
    answer = subprocess.run(["zstd", "-qdc", full], stdout=subprocess.PIPE, check=True).stdout
    found = [x.split("\t") for x in answer.decode().splitlines()]
    found.sort(key=lambda columns: int(columns[0]))
    want = [answer_row(columns) for columns in found]
    for got, wanted in zip(rows, want):
        if got != wanted:
            check(False, file, f"{got}, not {wanted}")
            break
    check(len(rows) == len(want), file, f"{len(rows)} rows, not {len(want)}")
    return 1


recorded = {}
with open(f"{corpus}/expected/expected.tsv", encoding="utf-8", errors="replace") as f:
    for line in f:
        columns = line.split("\t")
        if columns[1:3] == ["v1events", "ok"]:
            recorded[columns[0]] = int(columns[5])

text = os.path.join(work, "text")
files = full_count = 0
with os.fdopen(3) as names:
    for file in names.read().split("\n")[:-1]:
        files += 1
        check_way_back(f"{corpus}/{file}", text)
        if file in recorded:
            full_count += check_events(file, text, recorded[file],
                                       f"{corpus}/expected/full/{file}.v1events.zst")
for path in others:
    files += 1
    check_way_back(path, text)
print(f"{files} traces, {full_count} with all events, {checks} checks, {failures} failures")
sys.exit(failures > 0 or files == 0)
PYTHON
