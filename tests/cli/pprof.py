#!/usr/bin/python3
"""pprof.py TRACEPIPE TRACE...: whether profiles have the samples that the JSON of `stats` has.

Each kind, of each trace alone and of all together, with and without program counters. The profile is decoded
here, without a library: every field must be known, every id defined once, every string UTF-8.
"""
import collections
import gzip
import json
import os
import subprocess
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from protobuf import fields, packed  # noqa: E402

STACKS = ("sync", "net", "syscall", "sched", "cpu")


def run(*command):
    return subprocess.run([sys.argv[1], "-q", *command], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL).stdout


class Profile:
    def __init__(self, data):
        self.strings, self.types, self.comments, samples = [], [], [], []
        self.functions, self.locations = {}, {}
        for field, value in fields(gzip.decompress(data)):
            if field == 1:
                self.types.append(dict(fields(value)))
            elif field == 2:
                samples.append(dict(fields(value)))
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
        self.samples = collections.Counter()
        for sample in samples:
            stack = tuple(self.frame(i) for i in packed(sample.get(1, b"")))
            values = packed(sample[2])
            assert len(values) == len(self.types)
            assert stack not in self.samples or "(folded)" in str(stack), stack
            self.samples[stack] = tuple(values)

    @staticmethod
    def put(to, id_field, message):
        row = dict(fields(message))
        assert row[id_field] not in to
        to[row[id_field]] = row

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


def main():
    failures = checked = 0
    groups = [[path] for path in sys.argv[2:]] + [sys.argv[2:]]
    for paths in groups:
        for pc in ("no", "yes"):
            report = json.loads(run("--sink", f"stats:format=json,pc={pc}", *paths))
            for kind in STACKS + ("running",):
                profile = Profile(run("--sink", f"pprof:kind={kind},pc={pc}", *paths))
                want, got = of_json(report, kind), dict(profile.samples)
                checked += len(want)
                if want != got:
                    failures += 1
                    print(paths[0], len(paths), kind, "pc", pc, len(want), "rows,", len(got), "samples")
                    print(sorted(want.items() ^ got.items())[:2])
    print(checked, "samples,", failures, "profiles differ")
    return failures > 0 or checked < 1000


sys.exit(main())
