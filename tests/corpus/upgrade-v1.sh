#!/bin/bash
# Every trace of Go 1.5 to 1.21 in the corpus, and what is damaged of them, written as Go 1.26
# has it (raw:version=1.26). The reader of that, as strict as Go's, takes all of it; its events
# are those of the old trace, in order, with their stacks and strings, two nanoseconds later.
# What differs is what tracepipe-sinks(7) lists, and no more of it than counted here.
#
#   upgrade-v1.sh TRACEPIPE [TRACE...]      TRACEs are more to be written and compared
#
# TRACEPIPE_SAMPLE=N looks at N traces, evenly spread.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
tracepipe=$(realpath -e "$1")
shift
corpus_find
corpus_work
{
    awk -F'\t' '$3 == "v1" && $1 ~ /^(v1|damaged)\// { print $1 }' "$corpus/MANIFEST.tsv" |
        sample | sed "s|^|$corpus/|"
    printf '%s\n' "$@"
} | grep . >"$work/list"
exec 3<"$work/list"
/usr/bin/python3 - "$tracepipe" "$work" <<'PYTHON'
import collections
import os
import re
import subprocess
import sys

tracepipe, work = sys.argv[1:]
EVENT = re.compile(r"M=(\S+) P=(\S+) G=(\S+) (\S+) Time=(\S+) ?(.*)")
BEFORE = re.compile(r"^(GoID=\d+ )(?:Undetermined|Runnable|Waiting|Syscall)->(Runn(?:ing|able))")
CUT_BYTES, CUT_LINES = 1024, 2 * 128
LOST, LOST_STACK = re.compile(r"string#\d+"), re.compile(r"\tstack#\d+$")
NO_TASK = str(2**64 - 1)
failures = checks = 0
totals = collections.Counter()


def check(ok, path, what):
    global failures, checks
    checks += 1
    if not ok:
        failures += 1
        print(f"FAIL {path}: {what}")


class Event:
    def __init__(self, m):
        self.context = m.group(1, 2, 3)
        self.kind = m.group(4)
        self.time = int(m.group(5))
        self.line = m.group(6)
        self.stacks = []

    # Without what may differ: the state before is that of the order of later traces.
    def text(self):
        if self.kind == "TaskEnd":
            return self.line.replace(" Parent=0 ", f" Parent={NO_TASK} ")
        return BEFORE.sub(r"\1->\2", self.line) if self.kind == "StateTransition" else self.line


def events(path, *flags):
    p = subprocess.Popen([tracepipe, "-q", *flags, "--sink", "events", path],
                         stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                         encoding="latin-1")
    event = None
    for line in p.stdout:
        m = EVENT.match(line)
        if m:
            if event is not None and event.kind != "Sync":
                yield event
            event = Event(m)
        elif event is not None:
            event.stacks.append(line)
    if event is not None and event.kind != "Sync":
        yield event
    totals["refused" if p.wait() != 0 and "--strict" in flags else "read"] += 1


# What a new trace has more: moves of Ps, statuses, beginnings of calls and ranges.
ADDED = (
    (r"StateTransition", r"ProcID=\d+ (Running->Idle|Idle->Running|Undetermined->Running) "),
    (r"StateTransition", r"ProcID=\d+ (Running->Running|Idle->Idle) "),
    (r"StateTransition", r"GoID=\d+ (Running->Syscall|(Runnable|Running|Waiting|Syscall)->\2) "),
    (r"RangeActive", r'Name="GC '),
)
# What it lacks: a stop of the world by nobody; statuses of goroutines that were created; ends of
# regions that do not nest, which Go's reader refuses.
LEFT_OUT = (
    (r"Range(Begin|End)", r'Name="stop-the-world.* Scope=Goroutine\(-1\)'),
    (r"StateTransition", r"GoID=\d+ Undetermined->"),
    (r"StateTransition", r"GoID=\d+ Syscall->Runnable "),
    (r"RegionEnd", r"Task="),
)


def is_one_of(table, event):
    return any(re.fullmatch(kind, event.kind) and re.match(line, event.line)
               for kind, line in table)


def is_same(old, new):
    if old.kind != new.kind or not is_cut(old.text(), new.text()):
        return False
    if old.stacks == new.stacks:
        return True
    # What was lost is nothing.
    stacks = [LOST.sub("", line) for line in old.stacks if not LOST_STACK.match(line)]
    return stacks == new.stacks or len(stacks) > len(new.stacks) >= CUT_LINES or any(
        len(line) > CUT_BYTES for line in stacks)


def is_cut(old, new):
    same = len(os.path.commonprefix((old, new)))
    return old == new or len(old) > CUT_BYTES <= same


def compare(path, old, new):
    found = collections.Counter()
    a, b = next(old, None), next(new, None)
    while a is not None or b is not None:
        is_early = a is not None and b is not None and b.time < a.time + 2
        if a is not None and b is not None and not is_early and is_same(a, b):
            found["same"] += 1
            found["moved"] += b.time != a.time + 2
            found["context"] += a.context != b.context
            a, b = next(old, None), next(new, None)
        elif a is not None and not is_early and is_one_of(LEFT_OUT, a):
            found["left out"] += 1
            a = next(old, None)
        elif b is not None and is_one_of(ADDED, b):
            found["added"] += 1
            b = next(new, None)
        else:
            check(False, path, f"{a and a.__dict__}, not {b and b.__dict__}")
            return found
    check(True, path, "")
    return found


def said(stderr, what):
    m = re.search(rf"raw: (\d+) {what}", stderr)
    return int(m.group(1)) if m else 0


upgraded = os.path.join(work, "new.trace")
with os.fdopen(3) as names:
    for path in names.read().split("\n")[:-1]:
        with open(upgraded, "wb") as f:
            run = subprocess.run([tracepipe, "--sink", "raw:version=1.26", path], stdout=f,
                                 stderr=subprocess.PIPE, encoding="latin-1")
        if os.path.getsize(upgraded) == 0:
            check(run.returncode != 0, path, "nothing is written, and nothing said")
            totals["refused inputs"] += 1
            continue
        refused = totals["refused"]
        found = compare(path, events(path), events(upgraded, "--strict"))
        check(totals["refused"] == refused, path, "what was written is refused")
        check(found["left out"] == said(run.stderr, "event"), path,
              f"{found['left out']} events left out, and it says {run.stderr!r}")
        totals += found
        totals["traces"] += 1
print(", ".join(f"{count} {what}" for what, count in sorted(totals.items())))
print(f"{checks} checks, {failures} failures")
sys.exit(failures > 0 or totals["same"] == 0)
PYTHON
