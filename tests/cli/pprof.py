#!/usr/bin/python3
"""pprof.py TRACEPIPE TRACE...: whether profiles have the samples that the JSON of `stats` has.

Each kind, of each trace alone and of all together, with and without program counters; and with labels, whose
samples add up to those without, and are what the spans and events of the trace tell. The profile is decoded here,
without a library: every field must be known, every id defined once, every string UTF-8.
"""
import ast
import bisect
import collections
import gzip
import json
import os
import re
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from protobuf import fields, packed  # noqa: E402

STACKS = ("sync", "net", "syscall", "sched", "cpu")


def run(*command):
    return subprocess.run([sys.argv[1], "-q", *command], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL).stdout


def add(to, key, values):
    to[key] = tuple(a + b for a, b in zip(to.get(key, (0,) * len(values)), values))


class Profile:
    def __init__(self, data):
        self.strings, self.types, self.comments, samples = [], [], [], []
        self.functions, self.locations = {}, {}
        for field, value in fields(gzip.decompress(data)):
            if field == 1:
                self.types.append(dict(fields(value)))
            elif field == 2:
                samples.append(list(fields(value)))
            elif field == 4:
                self.put(self.locations, 1, value)
            elif field == 5:
                self.put(self.functions, 1, value)
            elif field == 6:
                self.strings.append(value.decode())
            elif field == 13:
                self.comments.append(value)
            else:
                assert field in (9, 10), field
        assert self.strings[0] == ""
        self.types = [(self.strings[t[1]], self.strings[t[2]]) for t in self.types]
        self.samples, self.labelled = {}, {}
        for of in samples:
            sample = dict(of)
            assert set(sample) <= {1, 2, 3} and [f for f, _ in of if f < 3] == list(set(sample) - {3})
            labels = tuple(self.label(value) for f, value in of if f == 3)
            assert len(dict(labels)) == len(labels)
            stack = tuple(self.frame(i) for i in packed(sample.get(1, b"")))
            values = packed(sample[2])
            assert len(values) == len(self.types)
            assert (stack, labels) not in self.labelled or "(folded)" in str(stack), stack
            self.labelled[stack, labels] = tuple(values)
            add(self.samples, stack, values)

    @staticmethod
    def put(to, id_field, message):
        row = dict(fields(message))
        assert row[id_field] not in to
        to[row[id_field]] = row

    def label(self, message):
        row = dict(fields(message))
        assert set(row) == {1, 2}
        return (self.strings[row[1]], self.strings[row[2]])

    def frame(self, location):
        row = self.locations[location]
        line = dict(fields(row[4]))
        function = self.functions[line[1]]
        assert function.get(2, 0) == function.get(3, 0)
        return (self.strings[function.get(2, 0)], self.strings[function.get(4, 0)], line.get(2, 0),
                row.get(3, 0))


def of_json(report, kind):
    if kind == "running":
        return {((f["function"], "", 0, 0),) if f["function"] else ():
                (x["count"], x["total_ns"])
                for f in report["functions"] for x in [f["states"].get("running")] if x}
    rows = {}
    for s in report["stacks"]:
        if s["type"] == kind:
            stack = tuple((f["function"], f["file"], f["line"], f.get("pc", 0)) for f in s["frames"])
            rows[stack] = (s["count"],) if kind == "cpu" else (s["count"], s["total_ns"])
    return rows


class Doing:
    """What goroutines were in, by the text of the events: tasks and regions."""

    def __init__(self, path):
        self.changes = collections.defaultdict(list)  # of a goroutine: (time, task and its name, region)
        self.samples = []
        names, begun, regions, ended = {}, collections.defaultdict(list), collections.defaultdict(list), {}
        for line in run("--sink", "events", path).decode(errors="replace").split("\n"):
            m = re.match(r"M=\S+ P=\S+ G=(\S+) (Task|Region|StackSample)(Begin|End)? Time=(\d+)"
                         r"(?: (?:ID|Task)=(\d+)(?: Parent=\d+)? Type=(\".*\"))?$", line)
            if not m:
                continue
            g, what, edge, time = int(m[1]), m[2], m[3], int(m[4])
            if what == "StackSample":
                self.samples.append((g, time))
                continue
            task = int(m[5])
            name = ast.literal_eval(re.sub(r"\\x[89a-f][0-9a-f]", "\ufffd", m[6]))
            if what == "Region" and edge == "Begin":
                regions[g].append((task, name))
            elif what == "Region":
                found = [i for i, x in enumerate(regions[g]) if x == (task, name)]
                if found:
                    del regions[g][found[-1]]
            elif edge == "Begin":
                names[task] = name
                begun[g].append(task)
            else:
                ended[task] = time
                owners = {x for x in begun if task in begun[x]}
                for x in owners:
                    begun[x].remove(task)
                    self.note(x, time, regions, begun)
            self.note(g, time, regions, begun)
        self.names, self.ended = names, ended

    def note(self, g, time, regions, begun):
        region = regions[g][-1] if regions[g] else None
        task = region[0] if region else begun[g][-1] if begun[g] else 0
        self.changes[g].append((time, task, region[1] if region else ""))

    def at(self, g, time):
        """Returns the number of the task, its name, and the region, before the events at this time."""
        at = bisect.bisect_left(self.changes[g], (time,))
        _, task, region = self.changes[g][at - 1] if at > 0 else (0, 0, "")
        known = self.ended.get(task, time) >= time
        return task, self.names.get(task, "") if known else "", region


def type_of(span):
    reason = span["reason"]
    if span["state"] != "waiting":
        return {"running": "running", "runnable": "sched", "syscall": "syscall"}[span["state"]]
    if reason == "network":
        return "net"
    return "sync" if any(x in reason for x in ("chan", "sync", "select")) else None


def of_spans(path):
    """Returns, by kind and labels, the count and time that samples should have, by an account of its own."""
    doing = Doing(path)
    spans = [json.loads(x) for x in
             run("--sink", "spans:format=jsonl", path).decode(errors="replace").splitlines()]
    first_run, function, rows = {}, {}, collections.defaultdict(dict)
    for s in spans:
        function[s["goroutine"]] = s["function"]  # the last one is the best
        if s["state"] == "running":
            first_run[s["goroutine"]] = min(first_run.get(s["goroutine"], s["begin_ns"]), s["begin_ns"])

    def put(kind, g, time, values):
        task, name, region = doing.at(g, time)
        labels = (("trace", path), ("start function", function.get(g, "")), ("task", name), ("region", region))
        add(rows[kind], tuple(x for x in labels if x[1]), values)
        return task

    for s in spans:
        g, kind, end = s["goroutine"], type_of(s), s["begin_ns"] + s["duration_ns"]
        if s["cut"] in ("end", "both") or kind is None or (kind == "running" and s["cut"]):
            continue
        if kind != "running" and g in first_run and end <= first_run[g]:
            continue  # before its first run
        task = put(kind, g, end, (1, s["duration_ns"]))
        assert task == (s["task"] or 0) or g not in first_run, (path, s, task)
    for g, time in doing.samples:
        put("cpu", g, time, (1,))
    return rows


def by_labels(profile):
    sums = {}
    for (_, labels), values in profile.labelled.items():
        add(sums, labels, values)
    return sums


def differ(path, kind, profile, spans):
    """Whether the labels are others than the spans tell. Of spans that had begun before the trace their time is
    not told, so times are compared of runs only."""
    got, want = by_labels(profile), spans[kind]
    if kind not in ("running", "cpu"):
        got, want = ({k: v[:1] for k, v in rows.items()} for rows in (got, want))
    for (stack, labels) in profile.labelled if kind == "running" else ():
        assert [f[0] for f in stack] == [x[1] for x in labels if x[0] == "start function"]
    if got != want:
        print(path, kind, "labels:", sorted(want.items() ^ got.items())[:4])
    return got != want


def main():
    failures = checked = 0
    labelled = collections.Counter()
    groups = [[path] for path in sys.argv[2:]] + [sys.argv[2:]]
    for paths in groups:
        spans = of_spans(paths[0]) if len(paths) == 1 else None
        for pc in ("no", "yes"):
            report = json.loads(run("--sink", f"stats:format=json,pc={pc}", *paths))
            for kind in STACKS + ("running",):
                want = of_json(report, kind)
                for labels in ("no", "yes"):
                    profile = Profile(run("--sink", f"pprof:kind={kind},pc={pc},labels={labels}", *paths))
                    got = profile.samples
                    if labels == "yes":  # a function of which the trace shows no whole run has no sample
                        want = {k: v for k, v in want.items() if any(v)}
                    checked += len(want)
                    if want != got:
                        failures += 1
                        print(paths[0], len(paths), kind, "pc", pc, "labels", labels, len(want), "rows,",
                              len(got), "samples")
                        print(sorted(want.items() ^ got.items())[:2])
                if spans is not None:
                    failures += differ(paths[0], kind, profile, spans)
                    labelled.update(key for _, of in profile.labelled for key, _ in of)
    print(checked, "samples,", failures, "profiles differ, labels:", dict(labelled))
    return failures > 0 or checked < 1000 or len(labelled) < 4


sys.exit(main())
