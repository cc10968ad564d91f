#!/bin/bash
# Where the time of tasks and regions went: all tasks and regions that began and ended in the trace,
# and the sums of each class, are those of the events, from which this test computes each of them.
# So are the slowest tasks, with their first log lines, and the slowest regions. Bundled traces, those
# of findings, and some of the corpus. Tasks by file are those of each file alone.
#
#   breakdown.sh TRACEPIPE
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

EVENT = re.compile(r"M=\S+ P=\S+ G=(\S+) (\w+) Time=(\d+) (.*)$")
MOVE = re.compile(r"GoID=(\d+) (\w+)->(\w+) Reason=\"(.*)\"$")
TASK = re.compile(r"ID=(\d+)(?: Parent=\S+)? Type=(\".*\")$")
REGION = re.compile(r"Task=(\S+) Type=(\".*\")$")
QUOTED = r'"(?:[^"\\]|\\.)*"'
LOG = re.compile(rf"Task=(\d+) Category=({QUOTED}) Message=({QUOTED})$")
CLASSES = ("running", "runnable", "syscall", "sync", "channel", "select", "sleep", "network",
           "other", "elsewhere")
QUANTILES = {"median": 500, "slowest": 990}


def class_of(state, reason):
    if state != "Waiting":
        return {"Running": "running", "Runnable": "runnable", "Syscall": "syscall"}[state]
    for word in ("network", "sleep"):
        if reason == word:
            return word
    for word, name in (("chan", "channel"), ("select", "select"), ("sync", "sync")):
        if word in reason:
            return name
    return "other"


# Go's quoted text; None if it has other than printable ASCII.
def unquote(text):
    return json.loads(text) if re.fullmatch(r'"(?:[ !#-\[\]-~]|\\["\\])*"', text) else None


# What the report has of a text of a log line: its beginning, and how much is left out. None if the
# text has other than printable ASCII.
def shortened(quoted):
    text = unquote(quoted)
    return None if text is None else (text[:200], max(len(text) - 200, 0))


def output(sink, path):
    run = subprocess.run([sys.argv[1], "-q", "--sink", sink, path], stdout=subprocess.PIPE)
    return None if run.returncode != 0 else run.stdout.decode(errors="surrogateescape")


# The number of the bucket of a duration (stats-state.md).
def bucket_of(ns):
    shift = max(ns.bit_length() - 7, 0)
    return shift * 64 + (ns >> shift)


class Goroutine:
    def __init__(self):
        self.spent = collections.Counter()
        self.state = None    # class and time since when
        self.assist = 0
        self.regions = []

    # The times up to a moment. A goroutine that begins or ends something runs.
    def clock(self, time):
        now = collections.Counter(self.spent)
        if self.state:
            now["running"] += time - self.state[1]
        return now, self.assist


def parts(begin, end, ns):
    of = {c: end[0][c] - begin[0][c] for c in CLASSES}
    left = ns - sum(of.values())
    if left < 0 or min(of.values()) < 0:
        of, left = dict.fromkeys(CLASSES, 0), ns
    of["elsewhere"] = left
    of["assist"] = min(end[1] - begin[1], ns)
    of["stopped"] = min(end[2] - begin[2], ns)
    return ns, of


# All tasks and regions that began and ended: {(kind, name): [(ns, parts, begin, lines)]}, with the
# time of the begin, by whom, and the first log lines of tasks.
def intervals(text):
    gs, tasks, assists = {}, {}, {}
    found = collections.defaultdict(list)
    stopped_ns, stop = 0, None  # by whom, and since when

    def clock(of, at):
        return *of.clock(at), stopped_ns + (at - stop[1] if stop else 0)

    for line in text.splitlines():
        match = EVENT.match(line)
        if not match:
            continue
        g, kind, time, rest = match[1], match[2], int(match[3]), match[4]
        if kind == "StateTransition":
            move = MOVE.match(rest)
            if not move:
                continue
            of, old, new, reason = move.groups()
            if old in ("Undetermined", "NotExist"):
                gs[of] = Goroutine()
            this = gs.setdefault(of, Goroutine())
            if this.state and old != new:
                this.spent[this.state[0]] += time - this.state[1]
            if new == "NotExist":
                this.state = None
                for (_, name), since, begin in this.regions:
                    found["regions", name].append(
                        (*parts(begin, clock(this, time), time - since), (since, int(of)), []))
                gs.pop(of)
            elif old != new:
                is_lasting = new in ("Running", "Runnable", "Syscall", "Waiting")
                is_lasting = is_lasting and reason != "forever"
                this.state = (class_of(new, reason), time) if is_lasting else None
            continue
        this = gs.setdefault(g, Goroutine())
        if kind == "TaskBegin":
            task = TASK.match(rest)
            tasks[task[1]] = (unquote(task[2]), time, this, clock(this, time), g, [])
        elif kind == "Log":
            log = LOG.match(rest)
            if log[1] in tasks and len(tasks[log[1]][-1]) < 3:
                _, since, *_, lines = tasks[log[1]]
                lines.append((time - since, shortened(log[2]), shortened(log[3])))
        elif kind == "TaskEnd":
            name, since, by, begin, of_g, lines = tasks.pop(
                TASK.match(rest)[1], (None, 0, None, None, None, None))
            if by is not None:
                ns = time - since
                end = clock(this, time)
                elsewhere = ns, dict(dict.fromkeys(CLASSES, 0), elsewhere=ns, assist=0,
                                     stopped=min(end[2] - begin[2], ns))
                of = parts(begin, end, ns) if by is this else elsewhere
                found["tasks", name].append((*of, (since, int(of_g)), lines))
        elif kind == "RegionBegin":
            task, name = REGION.match(rest).groups()
            this.regions.append(((task, unquote(name)), time, clock(this, time)))
        elif kind == "RegionEnd":
            # An end ends the innermost region with its task and name.
            task, name = REGION.match(rest).groups()
            of = [r for r in this.regions if r[0] == (task, unquote(name))]
            if not of:
                continue
            this.regions.remove(of[-1])
            (_, name), since, begin = of[-1]
            found["regions", name].append(
                (*parts(begin, clock(this, time), time - since), (since, int(g)), []))
        elif kind.startswith("Range") and '"GC mark assist"' in rest:
            if kind == "RangeBegin":
                assists[g] = time
            elif kind == "RangeEnd" and g in assists:
                this.assist += time - assists.pop(g)
        elif kind.startswith("Range") and '"stop-the-world (' in rest:
            # One that begins while another lasts has taken its place: the end of that one is lost.
            if stop and (kind == "RangeBegin" or stop[0] == g):
                stopped_ns, stop = stopped_ns + time - stop[1], None
            if kind == "RangeBegin":
                stop = g, time
    return found


def sums(rows):
    total = collections.Counter(count=len(rows), total_ns=sum(ns for ns, *_ in rows))
    for _, of, *_ in rows:
        for key, ns in of.items():
            total[key + "_ns"] += ns
    return total


# The intervals of each part of a breakdown.
def by_part(rows):
    buckets = sorted(bucket_of(ns) for ns, *_ in rows)
    at = {part: buckets[max(-(-len(rows) * q // 1000), 1) - 1] for part, q in QUANTILES.items()}
    return {
        "all": rows,
        "median": [r for r in rows if bucket_of(r[0]) == at["median"]],
        "slowest": [r for r in rows if bucket_of(r[0]) >= at["slowest"]],
    }


def is_ascii(text):
    return re.fullmatch("[ -~]*", text) is not None


# A text of a log line in the report. Texts with other than printable ASCII are not compared.
def told_text(log, key):
    return (log[key], log[key + "_omitted_bytes"]) if is_ascii(log[key]) else None


def told(log):
    return log["after_ns"], told_text(log, "category"), told_text(log, "message")


# What is compared of one of the slowest: duration, name, goroutine and time of its begin, classes,
# and log lines.
def slow_row(ns, name, by, begin, of, lines):
    return ns, repr(name), by, begin, repr(sorted(of.items())), repr(lines)


def reported(row):
    by = -1 if row["goroutine"] is None else row["goroutine"]
    return slow_row(row["duration_ns"], row["name"] if is_ascii(row["name"]) else None, by,
                    row["begin_ns"], {c: row[c + "_ns"] for c in CLASSES + ("assist", "stopped")},
                    [told(log) for log in row.get("logs", [])])


# Returns the number of differences of the slowest tasks or regions.
def compare_slowest(path, kind, found, report):
    all_rows = [(name, *row) for (of, name), rows_of in found.items() if of == kind
                for row in rows_of]
    got = sorted(map(reported, report["slowest_" + kind]), reverse=True)
    # The begin of the trace, which may lie before its first event: the slowest one tells it.
    top_ns = max((ns for _, ns, *_ in all_rows), default=0)
    begin_ns = min((since for _, ns, _, (since, _), _ in all_rows if ns == top_ns), default=0)
    begin_ns -= min((row[3] for row in got if row[0] == top_ns), default=0)
    want = sorted((slow_row(ns, name, by, since - begin_ns, of, lines)
                   for name, ns, of, (since, by), lines in all_rows), reverse=True)
    # Of those that are as long as the last one, it may be any.
    end = None
    if len(got) < len(want):
        end = next(i for i, t in enumerate(got) if t[0] == got[-1][0])
    if len(got) == min(len(want), 100) and got[:end] == want[:end]:
        return 0
    first = next((i for i, (g, w) in enumerate(zip(got, want)) if g != w), min(len(got), len(want)))
    print(f"{path}: slowest {kind}: {len(got)} of {len(want)}, "
          f"{got[first:first + 1]}, by events {want[first:first + 1]}")
    return 1


# Returns the number of rows of tasks by trace, and of differences from the rows of the files alone.
def compare_by_file(reports):
    run = subprocess.run([sys.argv[1], "-q", "--sink", "stats:format=json", *reports],
                         stdout=subprocess.PIPE, check=True)
    got = json.loads(run.stdout.decode(errors="surrogateescape"))["tasks_by_trace"]
    left_out = json.loads(run.stdout.decode(errors="surrogateescape"))["inconsistent_clocks"]
    doubtful = {row["trace"] for row in left_out}
    # Of several traces no moment is told by the clock of one.
    want = [dict({k: v for k, v in row.items() if k != "breakdown"}, trace=path, max_begin_ns=None)
            for path, report in reports.items() if path not in doubtful
            for row in report["tasks"]]
    got, want = (sorted(map(repr, (sorted(row.items()) for row in rows_of)))
                 for rows_of in (got, want))
    if got != want:
        print(f"tasks by trace: {len(got)} rows, by file {len(want)}")
        print(*(sorted(set(got) ^ set(want))[:6]), sep="\n")
    return len(got), int(got != want)


compared = rows = failed = lines_compared = 0
reports = {}
for path in sys.argv[2:]:
    text = output("stats:format=json", path)
    events = output("events", path) if text is not None else None
    if events is None:
        continue  # damaged
    report = json.loads(text)
    compared += 1
    reports[path] = report
    found = intervals(events)
    for kind in "tasks", "regions":
        failed += compare_slowest(path, kind, found, report)
        rows += len(report["slowest_" + kind])
    lines_compared += sum(len(t["logs"]) for t in report["slowest_tasks"])
    for kind in "tasks", "regions":
        for row in report[kind]:
            if not is_ascii(row["name"]) or (kind, row["name"]) == ("tasks", ""):
                continue
            rows_of = found.pop((kind, row["name"]), [])
            want = by_part(rows_of) if rows_of else {}
            for part, got in row["breakdown"].items():
                rows += 1
                need = sums(want.get(part, []))
                if any(need[key] != value for key, value in got.items()):
                    failed += 1
                    if failed <= 20:
                        print(f"{path}: {row['name']}: {part} {got}, by events {dict(need)}")
    # Goroutines of the runtime leave regions open that they inherit; these do not count.
    for (kind, name), rest in found.items():
        if kind == "tasks" and name:
            failed += 1
            print(f"{path}: no row of {kind} {name}")
by_file, differences = compare_by_file(reports)
failed += differences
print(f"{compared} traces, {rows} sums, {lines_compared} log lines, {by_file} tasks by trace compared, "
      f"{failed} differences")
sys.exit(failed > 0 or compared == 0 or lines_compared == 0 or by_file == 0)
PYTHON
