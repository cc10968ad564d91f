#!/usr/bin/python3
"""selection.py TRACEPIPE TRACE...: compares what `events` selects with a model.

The model reads all events as JSON, keeps the open regions and tasks of each goroutine, and says which
events concern a goroutine or a task, and for which task the goroutine of an event works. By function those
events must be selected that JSON says are of one with this name. `events:format=line` must have the same
number of lines as there are events, and the text in full the same heads.
"""
import json
import re
import subprocess
import sys
from collections import defaultdict

tracepipe = sys.argv[1]
IDS = 12  # goroutines, tasks and functions of a trace that are tried
NAMES_A_TASK = ("TaskBegin", "TaskEnd", "RegionBegin", "RegionEnd", "Log")


def run(options, path):
    return subprocess.run([tracepipe, "-q", "--salvage", "generation", "--sink", f"events:{options}", path],
                          stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False).stdout


def events_of(options, path):
    return [json.loads(line) for line in run(f"{options}format=jsonl", path).splitlines()]


class Model:
    """Whose each event is: lists of (goroutine, task), of the context and of who is changed."""

    def __init__(self, events):
        self.regions = defaultdict(list)  # of a goroutine: (task, name), the innermost last
        self.begun = defaultdict(list)    # of a goroutine: its open tasks
        self.parents, self.names = {}, defaultdict(set)
        self.wrong = 0                    # events with another task than that of the model
        self.roles = [self.step(e) for e in events]

    def task_of(self, g):
        if self.regions[g]:
            return self.regions[g][-1][0]
        return self.begun[g][-1] if self.begun[g] else None

    def step(self, e):
        g, kind = e["goroutine"], e["kind"]
        works_for = self.task_of(g) if g is not None else None
        if kind not in NAMES_A_TASK and e["task"] != works_for:
            self.wrong += 1
        roles = [(g, {works_for, e["task"]} - {None})]
        changed = e["resource_id"] if e.get("resource") == "goroutine" else None
        if changed is not None:
            roles.append((changed, {self.task_of(changed)} - {None}))
        if kind == "TaskBegin":
            self.parents[e["task"]] = e["parent"]
            self.names[e["name"]].add(e["task"])
            if g is not None:
                self.begun[g].append(e["task"])
        elif kind == "TaskEnd":
            for tasks in self.begun.values():
                if e["task"] in tasks:
                    tasks.remove(e["task"])
        elif kind == "RegionBegin":
            self.regions[g].append((e["task"], e["name"]))
        elif kind == "RegionEnd":
            open_ones = self.regions[g]
            for i in reversed(range(len(open_ones))):
                if open_ones[i] == (e["task"], e["name"]):
                    del open_ones[i]
                    break
        elif e.get("to") == "NotExist" or e.get("from") in ("NotExist", "Undetermined"):
            self.regions.pop(changed, None)
            self.begun.pop(changed, None)
        return roles

    def below(self, tasks):
        """Returns the tasks with all that were begun below them."""
        while True:
            more = {child for child, parent in self.parents.items() if parent in tasks} - tasks
            if not more:
                return tasks
            tasks = tasks | more

    def selected(self, goroutine=None, tasks=None):
        return [i for i, roles in enumerate(self.roles)
                if any((goroutine is None or g == goroutine) and (tasks is None or of & tasks)
                       for g, of in roles)]


def check(path):
    events = events_of("", path)
    model = Model(events)
    wrong = 0

    if model.wrong:
        print(f"{path}: {model.wrong} events are of another task")
        wrong += 1

    def compare(options, wanted):
        nonlocal wrong
        got = [e["time_ns"] for e in events_of(options, path)]
        if got != [events[i]["time_ns"] for i in wanted]:
            print(f"{path}: {options}: {len(got)} events, not {len(wanted)}")
            wrong += 1

    ids = sorted({g for roles in model.roles for g, _ in roles if g is not None})
    for g in ids[:: max(1, len(ids) // IDS)]:
        compare(f"goroutine={g},", model.selected(goroutine=g))
    tasks = sorted(model.parents)
    for task in tasks[:: max(1, len(tasks) // IDS)]:
        mine = model.below({task})
        compare(f"task={task},", model.selected(tasks=mine))
        compare(f"task={task},goroutine={ids[-1]},", model.selected(ids[-1], mine))
    for name in sorted(model.names)[:IDS]:
        if name and not name.isdigit() and not set(name) & set(",\0�") and name.isprintable():
            compare(f"task={name},", model.selected(tasks=model.below(model.names[name])))
    functions = sorted({e["function"] for e in events} - {None, ""})
    for name in [f for f in functions if "," not in f and f.isprintable()][:IDS]:
        # [...] stands for itself, with its dots.
        pattern = "^" + (name if "[" in name else re.sub(r"([.$])", r"\\\1", name)) + "$"
        compare(f"function={pattern},",
                [i for i, e in enumerate(events) if name in (e["function"], e.get("resource_function"))])
    lines = run("format=line", path).splitlines()
    heads = [line.split(b" Stack=")[0].split(b" TransitionStack=")[0] for line in lines]
    full = run("", path)
    if len(lines) != len(events) or heads != [x for x in full.splitlines() if x.startswith(b"M=")]:
        print(f"{path}: {len(lines)} lines, {len(events)} events")
        wrong += 1
    return wrong, len(tasks)


results = [check(path) for path in sys.argv[2:]]
print(len(results), "traces,", sum(tasks for _, tasks in results), "tasks")
sys.exit(any(wrong for wrong, _ in results) or not results)
