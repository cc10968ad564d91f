#!/usr/bin/python3
"""history.py TRACEPIPE TRACE...: whether what `detail=yes` adds to the JSON of `stats` is what `spans`, `events`
and the rest of the JSON say.

Latency is counted here from the rows of `spans`; pauses and mark phases are compared with their
distributions, levels of a trace with its timeline, the spans of the slowest tasks with the rows that have their
task, and their regions with the events. Of all traces together the figures are those of each added up, whatever
the number of workers and the memory.
"""
import collections
import csv
import json
import re
import subprocess
import sys

csv.field_size_limit(1 << 30)
TRACEPIPE, TRACES = sys.argv[1], sys.argv[2:]
REGION = re.compile(r"^M=\S+ P=\S+ G=(\d+) Region(Begin|End) Time=(\d+) Task=(\d+) Type=(\".*\")$")


def run(*command):
    return subprocess.run([TRACEPIPE, "-q", *command], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL).stdout.decode("utf-8", "replace")


def stats(*arguments):
    return json.loads(run("--sink", "stats:format=json,clocks=all,detail=yes", *arguments))


def total(counts):
    return sum(sum(bucket["counts"]) for bucket in counts)


def check_latency(document, rows, first_ns):
    latency = document["detail"]["latency"]
    want = collections.Counter()
    width = latency["bucket_ns"]
    for row in rows:
        if row["state"] == "runnable" and row["cut"] == "":
            ns = int(row["duration_ns"])
            end_ns = int(row["begin_ns"]) + ns
            at = max(k for k, least in enumerate(latency["rows_from_ns"]) if least <= ns)
            want[end_ns // width - first_ns // width, at] += 1
    got = collections.Counter({(bucket["begin_ns"] // width, at): count for bucket in latency["buckets"]
                               for at, count in enumerate(bucket["counts"]) if count > 0})
    assert got == want, (got - want, want - got)
    if document["timeline"]["wall_buckets"]:
        assert total(latency["wall_buckets"]) == total(latency["buckets"])
        assert latency["clock_bucket_ns"] >= width


def check_ranges(document, what):
    listed = document["detail"]["longest_" + what + "s"]
    omitted = document["detail"]["omitted_" + what + "_count"]
    dists = document[what + "s"]
    count = sum(d["count"] for d in dists)
    assert len(listed) + omitted == count, (len(listed), omitted, count)
    times = [item["duration_ns"] for item in listed]
    assert times == sorted(times, reverse=True)
    if omitted == 0:
        assert sum(times) == sum(d["total_ns"] for d in dists)
    return times


def check_levels(document):
    for key in ("runnable_ns", "running_ns", "syscall_ns", "blocked_ns", "procs_ns", "covered_ns", "gomaxprocs_ns",
                "heap_known_ns"):
        at = document["detail"]["level_keys"].index(key)
        assert (sum(sum(trace["values"][at]) for trace in document["detail"]["levels"]) ==
                sum(bucket[key] for bucket in document["timeline"]["buckets"])), key


def regions_of(events):
    """Returns the regions that began and ended, as (task, goroutine, name, begin, duration)."""
    found, stacks = collections.Counter(), collections.defaultdict(list)
    for line in events.split("\n"):
        match = REGION.match(line)
        if not match:
            continue
        goroutine, what, time, task, name = match.groups()
        stack = stacks[goroutine]
        if what == "Begin":
            stack.append((task, name, int(time)))
        elif stack and stack[-1][:2] == (task, name):
            begin = stack.pop()[2]
            found[int(task), int(goroutine), name, begin, int(time) - begin] += 1
    return found


def check_tasks(document, rows, events, zero_ns):
    tasks = document["detail"]["slowest_tasks"]
    for got, want in zip(tasks, document["slowest_tasks"]):
        assert document["detail"]["omitted_task_count"] or all(got[key] == want[key] for key in ("trace", "id", "name", "begin_ns", "duration_ns")), (got, want)
    assert len(tasks) == min(20, len(document["slowest_tasks"])) or document["detail"]["omitted_task_count"]
    ids = collections.Counter(task["id"] for task in document["slowest_tasks"])
    regions = regions_of(events) if tasks else {}
    for task in tasks:
        begin_ns = zero_ns + task["begin_ns"]
        end_ns = begin_ns + task["duration_ns"]
        got = collections.Counter((span["goroutine"], span["function"], span["state"], span["reason"],
                                   begin_ns + span["begin_ns"], span["duration_ns"]) for span in task["spans"])
        inner, outer = collections.Counter(), collections.Counter()
        for row in rows:
            if row["task"] != str(task["id"]):
                continue
            span = (int(row["goroutine"]), row["function"], row["state"], row["reason"], int(row["begin_ns"]),
                    int(row["duration_ns"]))
            outer[span] += span[4] + span[5] <= end_ns
            inner[span] += span[4] + span[5] < end_ns and ids[task["id"]] == 1
        assert got <= outer, (task["id"], got - outer)
        count = len(task["spans"]) + task["omitted_span_count"]
        assert sum(inner.values()) <= count <= sum(outer.values())
        if task["omitted_span_count"] == 0:
            assert inner <= got, (task["id"], inner - got)
        assert not task["omitted_span_count"] or len(task["spans"]) == 64
        for region in task["regions"]:
            name = region["name"]
            whole = (task["id"], region["goroutine"], begin_ns + region["begin_ns"], region["duration_ns"])
            # Go quotes names; the longest ones have no other bytes than letters here.
            # A damaged trace may lack the end of a region, which then ends with its goroutine. Go quotes names.
            assert document["damaged_count"] or any(
                whole == key[:2] + key[3:] and (name in key[2] or "\\" in key[2]) for key in regions), region
    return sum(len(task["spans"]) for task in tasks)


def main():
    seen = collections.Counter()
    sums = collections.Counter()
    for trace in TRACES:
        document = stats(trace)
        rows = list(csv.DictReader(run("--sink", "spans:guard=no", trace).splitlines()))
        events = run("--sink", "events", trace)
        times = re.findall(r"^M=\S+.* Time=(-?\d+)", events, re.M)
        assert document["detail"]["trace_count"] == document["trace_count"] == len(document["detail"]["levels"])
        if not times:
            continue
        try:
            check_latency(document, rows, int(times[0]))
            pauses, marks = check_ranges(document, "pause"), check_ranges(document, "mark_phase")
            check_levels(document)
            # Before Go 1.22 the first line is a Sync at -1, and times count from 0.
            zero_ns = max(int(times[0]), 0)
            seen["spans"] += check_tasks(document, rows, events, zero_ns)
        except AssertionError:
            print(trace, file=sys.stderr)
            raise
        sums["latency"] += total(document["detail"]["latency"]["buckets"])
        sums["levels"] += len(document["detail"]["levels"])
        seen["pauses"] += len(pauses)
        seen["marks"] += len(marks)
    together = stats("-j1", *TRACES)
    for options in (("-j8", "--speculate=always"), ("-j2", "--io=pread", "--max-memory=64MiB")):
        assert stats(*options, *TRACES) == together, options
    check_levels(together)
    for what in ("pause", "mark_phase"):
        check_ranges(together, what)
    assert total(together["detail"]["latency"]["buckets"]) == sums["latency"]
    assert len(together["detail"]["levels"]) == sums["levels"]
    print(dict(seen), dict(sums))
    assert sums["latency"] > 0 and (len(TRACES) < 10 or min(seen.values()) > 0), seen


main()
