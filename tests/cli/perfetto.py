#!/usr/bin/python3
"""perfetto.py TRACEPIPE TRACE...: whether pictures show what `spans` and the JSON of `stats` say.

The packets are decoded here, without a library: names and stacks must be written before they are used, every
track must be described, slices of a track must nest. Slices of goroutines are the rows of `spans`; times of
regions, tasks, pauses, marks, assists and sweeps add up to the totals of `stats`; flows lead from the waker to
the run; counters lie on the levels that the rows give, and show their peaks (but not in damaged traces, where
states may end without a row).
"""
import bisect
import collections
import csv
import json
import os
import re
import subprocess
import sys
import zlib

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
from protobuf import fields  # noqa: E402

csv.field_size_limit(1 << 30)
TRACES = sys.argv[2:]
STATES = ("running", "runnable", "waiting", "syscall")


def run(*command):
    return subprocess.run([sys.argv[1], "-q", *command], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL).stdout


def message(data):
    """Returns the fields of a message, each a list of values."""
    found = collections.defaultdict(list)
    for field, value in fields(data):
        found[field].append(value)
    return found


def signed(value):
    return value - (1 << 64) if value >> 63 else value


class Sequence:
    def __init__(self):
        self.names = collections.defaultdict(dict)  # by field of interned data, then iid
        self.clock_base = None
        self.default_clock = None

    def intern(self, data):
        for field, value in fields(data):
            entry = message(value)
            iid = entry[1][0]
            assert iid not in self.names[field], (field, iid)
            if field == 6:
                self.names[field][iid] = (self.names[5][entry[2][0]], self.names[18][entry[5][0]],
                                          entry[6][0])
                assert entry[3][0] in self.names[19]
            elif field == 7:
                self.names[field][iid] = [self.names[6][frame] for frame in entry[2]]
            elif field == 19:
                self.names[field][iid] = None
            else:
                self.names[field][iid] = entry[2][0].decode()


class Picture:
    def __init__(self, data):
        self.sequences = collections.defaultdict(Sequence)
        self.tracks = {}
        self.slices = []    # dicts
        self.starts = {}    # of flows: number to (time, track)
        self.ends = {}      # number to slice
        self.counters = collections.defaultdict(list)
        self.logs, self.samples = [], []
        events = []
        for packet in self.packets(data):
            self.take(message(packet), events)
        events.sort(key=lambda event: event[0])
        self.build(events)

    def packets(self, data):
        for field, value in fields(data):
            assert field == 1
            packed = message(value).get(50)
            if packed:
                yield from self.packets(zlib.decompress(packed[0]))
            else:
                yield value

    def take(self, p, events):
        assert set(p) <= {6, 8, 10, 11, 12, 13, 58, 59, 60, 66}, set(p)
        sequence = self.sequences[p[10][0]]
        if 59 in p:
            assert p[13] == [1]
            sequence.default_clock = message(p[59][0])[58][0]
        if 6 in p:
            clocks = {message(c)[1][0]: message(c)[2][0] for c in message(p[6][0])[1]}
            if 64 in clocks:
                assert sequence.clock_base is None and clocks[64] == 0
                sequence.clock_base = clocks[6]
        if 12 in p:
            sequence.intern(p[12][0])
        if 60 in p:
            track = message(p[60][0])
            uuid, name = track[1][0], track[2][0].decode()
            self.tracks[uuid] = (name, track[5][0] if 5 in track else None)
        if 8 not in p:
            return
        clock = p[58][0] if 58 in p else sequence.default_clock or 6
        time = p[8][0] + (sequence.clock_base if clock == 64 else 0)
        if 66 in p:
            stack = message(p[66][0]).get(4)
            self.samples.append((time, sequence.names[7][stack[0]] if stack else []))
        if 11 in p:
            events.append((time, self.event(message(p[11][0]), sequence)))

    @staticmethod
    def event(e, sequence):
        args = {}
        for value in e[4]:
            arg = message(value)
            name = sequence.names[3][arg[1][0]]
            args[name] = sequence.names[29][arg[17][0]] if 17 in arg else (arg[3] or arg[4])[0]
        return {"type": e[9][0], "track": e[11][0], "args": args,
                "category": sequence.names[1][e[3][0]] if e[3] else None,
                "name": sequence.names[2][e[10][0]] if e[10] else e[23][0].decode() if e[23] else None,
                "starts": e[47], "ends": e[48], "value": signed(e[30][0]) if e[30] else None,
                "stack": sequence.names[7][e[56][0]] if e[56] else None}

    def build(self, events):
        open_slices = collections.defaultdict(list)
        for time, e in events:
            assert e["track"] in self.tracks, (e, "has no description")
            if e["type"] == 4:
                self.counters[self.tracks[e["track"]][0]].append((time, e["value"]))
            elif e["type"] == 1:
                e["begin"] = time
                open_slices[e["track"]].append(e)
                self.slices.append(e)
                for number in e["ends"]:
                    self.ends[number] = e
            elif e["type"] == 2:
                begun = open_slices[e["track"]].pop()
                assert e["name"] in (None, begun["name"]), (e, begun)
                begun["end"] = time
            else:
                assert e["type"] == 3
                for number in e["starts"]:
                    self.starts[number] = (time, e["track"])
                if e["category"] == "log":
                    self.logs.append((time, e["name"]))
        assert not any(open_slices.values())

    def name(self, uuid):
        return self.tracks[uuid][0]

    def of(self, *categories):
        return [s for s in self.slices if s["category"] in categories]


def rows_of(trace):
    text = run("--sink", "spans:guard=no", trace).decode("utf-8", "replace")
    return list(csv.DictReader(text.splitlines()))


def stack_text(stack):
    return stack.replace(");", ")\n") if stack else None


def compare_states(picture, rows):
    """Every row of `spans` is a slice, with the same arguments, and the other way around."""
    want, got = collections.Counter(), collections.Counter()
    for r in rows:
        begin, end = int(r["begin_ns"]), int(r["begin_ns"]) + int(r["duration_ns"])
        name = r["reason"] if r["state"] == "waiting" and r["reason"] else r["state"]
        want[r["goroutine"], r["state"], name, begin, end, stack_text(r["stack"]), r["waker"] or None,
             stack_text(r["waker_stack"]), r["task"] or None, r["cut"] or None] += 1
    for s in picture.of(*STATES):
        a = s["args"]
        goroutine = picture.name(s["track"]).split()[0][1:]
        got[goroutine, s["category"], s["name"], s["begin"], s["end"], a.get("stack") or None,
            str(a["waker"]) if "waker" in a else None, a.get("waker stack") or None,
            str(a["task"]) if "task" in a else None, a.get("cut")] += 1
    assert want == got, list((want - got).items())[:3] + list((got - want).items())[:3]


def compare_procs(picture, rows):
    """What ran on the Ps ran on the goroutines' tracks, too."""
    runs = collections.Counter((r["goroutine"], int(r["begin_ns"])) for r in rows
                               if r["state"] == "running")
    for s in picture.of("proc"):
        runs[s["name"].split()[0][1:], s["begin"]] -= 1
        assert picture.name(picture.tracks[s["track"]][1]) == "Ps"
    assert min(runs.values(), default=0) >= 0
    for s in picture.of("thread"):
        assert s["name"].startswith("P ") and picture.name(s["track"]).startswith("M ")


def compare_flows(picture, rows, is_damaged):
    last, want = {}, {}
    for r in rows:
        before = last.get(r["goroutine"])
        last[r["goroutine"]] = r
        if r["state"] == "running" and before and before["state"] == "runnable" and before["waker"] and \
                int(before["begin_ns"]) + int(before["duration_ns"]) == int(r["begin_ns"]):
            want[int(r["begin_ns"])] = (r["goroutine"], before["waker"], int(before["begin_ns"]))
    got = {number: (picture.name(s["track"]).split()[0][1:],
                    picture.name(picture.starts[number][1]).split()[0][1:], picture.starts[number][0])
           for number, s in picture.ends.items()}
    assert got == want and (set(picture.starts) == set(want) or is_damaged)


def totals(items):
    return sum(item["total_ns"] + item["cut_ns"] for item in items)


def compare_totals(picture, report):
    """Intervals add up to the totals of `stats`."""
    of_tasks = [s for s in picture.of("region") if
                picture.name(picture.tracks[picture.tracks[s["track"]][1]][1]) == "Goroutines"]
    collector = collections.defaultdict(list)
    for s in picture.of("gc"):
        track = picture.name(s["track"])
        collector[track].append(s)
    for key, slices in (("tasks", picture.of("task")), ("regions", of_tasks),
                        ("pauses", collector["stop-the-world"]), ("mark_phases", collector["mark"]),
                        ("assists", collector["mark assist"]), ("sweeps", collector["sweep"])):
        total = sum(s["end"] - s["begin"] for s in slices)
        assert total == totals(report[key]), (key, total, totals(report[key]))
    assert len(picture.logs) == sum(item["count"] for item in report["logs"])


def compare_parents(picture, trace):
    """The parents of tasks are those of their events."""
    text = run("--sink", "events", trace).decode("utf-8", "replace")
    want = {task: parent for task, parent in re.findall(r" TaskBegin Time=\d+ ID=(\d+) Parent=(\d+) ", text)}
    for s in picture.of("task"):
        if s["args"].get("cut") in (None, "end"):
            parent = s["args"].get("parent", (1 << 64) - 1)
            assert want[str(s["args"]["task"])] in (str(parent), "0"), s


def compare_counters(picture, rows, report):
    begin = min((int(r["begin_ns"]) for r in rows), default=0)
    for counter, state in (("goroutines running", "running"), ("goroutines runnable", "runnable"),
                           ("goroutines waiting", "waiting"), ("goroutines in system calls", "syscall")):
        steps = collections.Counter()
        for r in rows:
            if r["state"] == state:
                steps[int(r["begin_ns"])] += 1
                if r["cut"] not in ("end", "both"):
                    steps[int(r["begin_ns"]) + int(r["duration_ns"])] -= 1
        times, levels, level = [], [], 0
        for time in sorted(steps):
            level += steps[time]
            times.append(time)
            levels.append(level)
        points = picture.counters[counter] or [(begin, 0)]
        for time, value in points:
            at = bisect.bisect_right(times, time) - 1
            assert value == (levels[at] if at >= 0 else 0), (counter, time, value)
        assert max(value for _, value in points) == max([0] + levels)
        assert points[0][0] <= begin
        windows = collections.Counter((time - points[0][0]) // 100000 for time, _ in points[1:])
        assert max(windows.values(), default=0) <= 2
    for gauge in report["timeline"]["gauges"]:
        if gauge["report_count"] == 0:
            continue
        counter = {"heap_bytes": "heap", "goal_bytes": "heap goal",
                   "gomaxprocs": "GOMAXPROCS"}[gauge["gauge"]]
        assert max(value for _, value in picture.counters[counter]) == gauge["max"], (counter, gauge)


def compare_options(trace, whole, rows):
    if not rows:
        return
    some = rows[0]["goroutine"]
    picture = Picture(run("--sink", f"perfetto:goroutine={some}", trace))
    assert {picture.name(s["track"]).split()[0] for s in picture.of(*STATES)} == {f"G{some}"}
    assert not picture.starts and not picture.ends
    # In a window, goroutines may wake others before they have a state themselves.
    last = max(int(r["begin_ns"]) for r in rows) - min(int(r["begin_ns"]) for r in rows)
    Picture(run("--from", f"{last / 4e9:.9f}s", "--to", f"{last / 2e9:.9f}s", "--sink", "perfetto", trace))
    procs = Picture(run("--sink", "perfetto:tracks=ps", trace))
    assert not procs.of(*STATES) and len(procs.of("proc")) == len(whole.of("proc"))
    plain = Picture(run("--sink", "perfetto:tracks=goroutines,args=no", trace))
    assert not plain.of("proc", "thread") and not plain.starts
    assert not any(set(s["args"]) - {"cut"} for s in plain.slices)
    packed = Picture(run("--sink", "perfetto:compress=yes,callstacks=yes", trace))
    for a, b in zip(packed.slices, whole.slices):
        text = "\n".join(f"{f} ({file}:{line})" for f, file, line in a.pop("stack") or [])
        assert text == b["args"].get("stack", ""), (text, b)
        b.pop("stack")
        assert a == b
    assert packed.counters == whole.counters and packed.samples == whole.samples


def compare(trace):
    picture = Picture(run("--sink", "perfetto", trace))
    rows = rows_of(trace)
    report = json.loads(run("--sink", "stats:format=json", trace))
    compare_states(picture, rows)
    compare_procs(picture, rows)
    compare_flows(picture, rows, report["damaged_count"] > 0)
    compare_totals(picture, report)
    compare_parents(picture, trace)
    if not report["damaged_count"]:
        compare_counters(picture, rows, report)
    compare_options(trace, picture, rows)
    return len(picture.slices)


count = 0
for path in TRACES:
    try:
        count += compare(path)
    except Exception:
        print(path)
        raise
print(f"{count} slices of {len(TRACES)} traces")
