#!/usr/bin/env bash
# What `stats:level=full` says over time against the same figures made another way: from the
# text of the events, which is Go's to the byte, span by span of each goroutine, P and
# number. All must be the same, of each trace alone and of several together.
#
#   over-time.sh TRACEPIPE
set -euo pipefail
. "$(dirname "$0")/lib.sh"
tracepipe=$(realpath -e "$1")
corpus_find
corpus_work
# As tests/cli/schema.sh.
/usr/bin/python3 -c '' || {
    echo 'python3 is missing: tools/install-deps' >&2
    exit 1
}

traces=()
for trace in http gc lock tasks net procs mixed-gens; do
    for go in go1.22 go1.23 go1.25 go1.26; do
        file=$corpus/v2/$go/$trace.trace
        [ ! -r "$file" ] || traces+=("$file")
    done
done

/usr/bin/python3 - "$tracepipe" "${traces[@]}" <<'PYTHON'
import json
import re
import subprocess
import sys

tracepipe, traces = sys.argv[1], sys.argv[2:]
STATES = {"Runnable": "runnable_ns", "Running": "running_ns", "Syscall": "syscall_ns",
          "Waiting": "blocked_ns"}
METRICS = {"/sched/gomaxprocs:threads": ("gomaxprocs", "gomaxprocs_known_ns"),
           "/memory/classes/heap/objects:bytes": ("heap_bytes", "heap_known_ns"),
           "/gc/heap/goal:bytes": ("goal_bytes", "goal_known_ns")}
LINE = re.compile(r"^M=\S+ P=\S+ G=\S+ (\w+) Time=(\d+) ?(.*)$")
CHANGE = re.compile(r"^(GoID|ProcID)=(-?\d+) (\w+)->(\w+) ")
METRIC = re.compile(r'^Name="([^"]*)" Value=Value\{Uint64\((\d+)\)\}')


def output(*arguments):
    return subprocess.run([tracepipe, *arguments], check=True, stdout=subprocess.PIPE).stdout


def spans_of(trace):
    """Spans (begin, end, figure, height), values told by metric, first and last time."""
    spans, told, since = [], {name: [] for name in METRICS}, {}
    first = time = sync = None

    def change(key, figure, height, begin=None):
        if key in since:
            spans.append((*since.pop(key), time))
        if figure is not None:
            since[key] = (figure, height, time if begin is None else begin)

    for line in output("--sink", "events", trace).decode().splitlines():
        m = LINE.match(line)
        if not m:
            continue
        kind, time, rest = m[1], int(m[2]), m[3]
        first = time if first is None else first
        if kind == "Sync":
            sync = time
        elif kind == "StateTransition" and (m := CHANGE.match(rest)):
            what, number, before, after = m.groups()
            if before == after:
                continue
            figure = STATES.get(after) if what == "GoID" else {"Running": "procs_ns"}.get(after)
            change((what, number), figure, 1, sync if before == "Undetermined" else None)
        elif kind == "Metric":
            name, value = METRIC.match(rest).groups()
            if not told[name]:
                change(("known", name), METRICS[name][1], 1)
            change(("level", name), METRICS[name][0], int(value))
            told[name].append(int(value))
    for key in list(since):
        change(key, None, 0)
    spans.append(("covered_ns", 1, first, time))
    return spans, told, first, time


def timeline_of(trace):
    """(shift, buckets) and gauges."""
    spans, told, first, last = spans_of(trace)
    shift = 16
    while (last >> shift) - (first >> shift) > 255:
        shift += 1
    buckets = [{} for _ in range((last >> shift) - (first >> shift) + 1)]
    for figure, height, begin, end in spans:
        for at in range(begin >> shift, (end >> shift) + 1):
            ns = min(end, (at + 1) << shift) - max(begin, at << shift)
            bucket = buckets[at - (first >> shift)]
            bucket[figure] = bucket.get(figure, 0) + height * ns
    return shift, buckets, told


def join(shift, buckets, to_shift):
    joined = [{} for _ in range(((len(buckets) - 1) >> (to_shift - shift)) + 1)]
    for i, bucket in enumerate(buckets):
        into = joined[i >> (to_shift - shift)]
        for figure, value in bucket.items():
            into[figure] = into.get(figure, 0) + value
    return joined


def add(a, b):
    shift = max(a[0], b[0])
    left, right = join(a[0], a[1], shift), join(b[0], b[1], shift)
    both = [{} for _ in range(max(len(left), len(right)))]
    for side in left, right:
        for into, bucket in zip(both, side):
            for figure, value in bucket.items():
                into[figure] = into.get(figure, 0) + value
    return shift, both


def printed(bucket):
    figures = {key: bucket.get(key, 0) for key in (
        "covered_ns", *STATES.values(), "procs_ns", *(known for _, known in METRICS.values()))}
    figures["alive_ns"] = sum(figures[key] for key in STATES.values())
    figures["gomaxprocs_ns"] = bucket.get("gomaxprocs", 0)
    for key, known in ("heap_bytes", "heap_known_ns"), ("goal_bytes", "goal_known_ns"):
        figures[key] = bucket.get(key, 0) // figures[known] if figures[known] else 0
    return figures


def gauge(lists):
    values = [v for told in lists for v in told]
    return {"report_count": len(values),
            "change_count": sum(a != b for told in lists for a, b in zip(told, told[1:])),
            "min": min(values, default=0), "max": max(values, default=0)}


def check_wall(what, timeline, paths):
    """By the wall clock all times are there again, if all traces tell the time of day."""
    wall = timeline["wall_buckets"]
    begins = [bucket["wall_start_ns"] for bucket in wall]
    if any(begin % timeline["clock_bucket_ns"] for begin in begins) or begins != sorted(set(begins)):
        sys.exit(f"{what}: buckets begin at {begins}")
    if timeline["wall_trace_count"] < len(paths):
        return
    for key in timeline["buckets"][0]:
        sums = [sum(bucket[key] for bucket in buckets) for buckets in (timeline["buckets"], wall)
                if key.endswith("_ns") and key != "begin_ns"]
        if len(set(sums)) > 1:
            sys.exit(f"{what}: {key}: {sums[1]} by the wall clock, not {sums[0]}")


def compare(what, shift, buckets, told_lists, paths):
    got = json.loads(output("--sink", "stats:level=full,format=json", *paths))["timeline"]
    check_wall(what, got, paths)
    got = {key: got[key] for key in ("bucket_ns", "gauges", "buckets")}
    want = {"bucket_ns": 1 << shift,
            "buckets": [{"begin_ns": i << shift, **printed(b)} for i, b in enumerate(buckets)]}
    want["gauges"] = [{"gauge": key, **gauge([told[name] for told in told_lists])}
                      for name, (key, _) in METRICS.items()]
    if got == want:
        return len(buckets) * len(want["buckets"][0])
    for key in want:
        if key != "buckets" and got[key] != want[key]:
            print(f"{what}: {key}: {got[key]}, not {want[key]}")
    if len(got["buckets"]) != len(buckets):
        print(f"{what}: {len(got['buckets'])} buckets, not {len(buckets)}")
    for a, b in zip(got["buckets"], want["buckets"]):
        for key in b:
            if a[key] != b[key]:
                print(f"{what}: {b['begin_ns']}: {key}: {a[key]}, not {b[key]}")
    sys.exit(1)


total = None
told_lists = []
widths = set()
for trace in traces:
    shift, buckets, told = timeline_of(trace)
    print(compare(trace, shift, buckets, [told], [trace]), "figures of", trace)
    total = (shift, buckets) if total is None else add(total, (shift, buckets))
    told_lists.append(told)
    widths.add(shift)
print(compare("all together", *total, told_lists, traces), "figures of all together")
print(compare("the other way round", *total, told_lists, traces[::-1]), "in the other order")
if len(widths) < 3:
    sys.exit("buckets of few widths only")
PYTHON
