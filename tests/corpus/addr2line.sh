#!/bin/bash
# Names that --binary gives are those of `go tool addr2line`: of a Go program that is built
# here, thousands of PCs of its text are put into stacks of a trace of Go 1.5, and the frames
# held against what the tool says of PC - 1. Needs Go; skipped without.
#
#   addr2line.sh TRACEPIPE
set -euo pipefail
. "$(dirname "$0")/lib.sh"
tracepipe=$(realpath -e "$1")
go=${GO:-go}
command -v "$go" >/dev/null || {
    echo "no $go"
    exit 77
}
corpus_work
cat >"$work/main.go" <<'GO'
package main

import (
	"fmt"
	"net/http"
)

func main() { fmt.Println(http.ListenAndServe("localhost:0", nil)) }
GO
export GO111MODULE=off GOFLAGS='' CGO_ENABLED=0 GOTOOLCHAIN=local
/usr/bin/python3 - "$tracepipe" "$work" "$go" <<'PYTHON'
import random
import re
import struct
import subprocess
import sys

tracepipe, work, go = sys.argv[1:]
PCS, PER_STACK = 12000, 100


def text_of(program):
    """Begin and end of the segment of an ELF file of 64 bits that holds code."""
    with open(program, "rb") as f:
        data = f.read()
    offset, = struct.unpack_from("<Q", data, 32)
    each, count = struct.unpack_from("<HH", data, 54)
    for i in range(count):
        kind, flags, _, begin, _, _, size = struct.unpack_from("<IIQQQQQ", data, offset + i * each)
        if kind == 1 and flags & 1:
            return begin, begin + size
    sys.exit(f"{program}: no code")


def write_trace(pcs, path):
    stacks = [pcs[i:i + PER_STACK] for i in range(0, len(pcs), PER_STACK)]
    lines = ["Trace Go1.5", "Batch p=0 seq=0 ticks=100", "Gomaxprocs dseq=1 dt=1 procs=1 stack=0"]
    lines += [f"GoCreate dseq=1 dt=1 g={i} pc={pcs[i]} stack={i}"
              for i in range(1, len(stacks) + 1)]
    lines.append("Frequency freq=1000000000 unused=0")
    for i, stack in enumerate(stacks):
        lines.append(f"Stack id={i + 1} nframes={len(stack)} pad=0")
        lines += [f"\tpc={pc}" for pc in stack]
    with open(path, "w") as f:
        f.write("\n".join(lines) + "\n")
    # Goroutines begin at the PC itself.
    return sorted({*pcs, *(pcs[i] + 1 for i in range(1, len(stacks) + 1))})


def frames_of(program, trace):
    out = subprocess.run([tracepipe, "-q", "--binary", program, "--sink", "events", trace],
                         capture_output=True, text=True, check=True).stdout
    return {int(m[2], 16): (m[1], m[3])
            for m in re.finditer(r"^\t(.*) @ 0x([0-9a-f]+)\n\t\t(.*)$", out, re.M)}


def answers_of(program, pcs):
    asked = "".join(f"{pc - 1:#x}\n" for pc in pcs)
    lines = subprocess.run([go, "tool", "addr2line", program], input=asked,
                           capture_output=True, text=True, check=True).stdout.split("\n")
    return {pc: (lines[2 * i], lines[2 * i + 1]) for i, pc in enumerate(pcs)}


def as_ours(answer):
    if answer == ("?", "?:0"):
        return "", ":0"
    # What stands between functions has line -1.
    return answer[0], re.sub(r":-\d+$", ":0", answer[1])


failures = 0
for flags in "", "-w", "-s -w":
    program = f"{work}/program"
    subprocess.run([go, "build", "-ldflags", flags, "-o", program, f"{work}/main.go"],
                   check=True)
    begin, end = text_of(program)
    pcs = sorted(random.Random(1).sample(range(begin + 1, end), PCS))
    asked = write_trace(pcs, f"{work}/trace.txt")
    want, got = answers_of(program, asked), frames_of(program, f"{work}/trace.txt")
    wrong = [pc for pc in asked if got.get(pc) != as_ours(want[pc])]
    for pc in wrong[:5]:
        print(f"FAIL {pc:#x}: {got.get(pc)}, not {want[pc]}")
    failures += len(wrong)
    named = sum(want[pc][0] != "?" for pc in asked)
    print(f"ldflags '{flags}': {len(asked)} PCs, {named} of functions, {len(wrong)} failures")
sys.exit(failures > 0)
PYTHON
