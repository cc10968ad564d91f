#!/bin/bash
# Of traces that people asked about, each answer is a line of the screen, or of what a command prints. They
# lie in the folder "reports" beside the corpus; without it the test is skipped.
#
#   reports.sh TRACEPIPE
set -euo pipefail
# shellcheck source=lib.sh
source "$(dirname "${BASH_SOURCE[0]}")/lib.sh"
corpus_find
tracepipe=$(realpath -e "$1")
reports=$(realpath -m "$corpus/../reports")
[ -d "$reports" ] || {
    echo "no folder $reports"
    exit 77
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
failed=0

# answers TRACE OPTIONS TEXT...: each text is in consecutive lines of the output, when spaces are made one.
answers() {
    local trace=$1 options=$2 text
    shift 2
    # shellcheck disable=SC2086
    (cd "$reports" && "$tracepipe" -q $options "$trace") | tr -s ' \n' ' ' >"$work/report" || true
    for text in "$@"; do
        grep -qF -- "$text" "$work/report" && continue
        echo "$trace, $options: lacks '$text'"
        failed=1
    done
}
# has TRACE SINK TEXT...: the same of a sink.
has() {
    answers "$1" "--sink $2" "${@:3}"
}
# screen TRACE TEXT...: the same of the first screen.
screen() {
    answers "$1" '--screen 100x30' "${@:2}"
}

# Waits that had begun before the trace have the reason that their stack tells.
has 04-waits-since-before.trace stats:by=function \
    ' sync.(*Cond).Wait (inferred) 3.60 s ' ' select (inferred) 3.60 s ' ' chan send (inferred) 3.60 s ' \
    ' network (inferred) 1.20 s ' ' sleep (inferred) 3.60 s ' ' blocked since before the trace 5.40 s '
has 04-waits-since-before.trace stats:by=stack \
    '3.60 s 3 chan send (inferred) runtime.chansend runtime.chansend1 main.onSend (main.go:16)' \
    '3.60 s 3 select (inferred) runtime.selectgo main.onSelect (main.go:17)' \
    'main.onCond (main.go:19)' 'main.onSleep (main.go:21)' 'main.onNet (main.go:22)'
screen 04-waits-since-before.trace 'main.main 1 - - sleep 100.0%' 'main.onCond 3 - - sync 100.0% (inferred)' \
    'main.onSelect 3 - - select 100.0% (inferred)' 'main.onNet 1 - - network 100.0% (inferred)'

# Callers of one helper are rows of their own.
has 21-serial-calls.trace stats:by=stack \
    '4.47 s 80 runtime.selectgo' 'main.call (main.go:18) main.userService (main.go:26)' '3.62 s 80 runtime.selectgo' \
    'main.call (main.go:18) main.profileService (main.go:28)' '2.93 s 80 runtime.selectgo' \
    'main.call (main.go:18) main.authService (main.go:27)'

# Time in C is told from system calls, at the Go function that calls.
screen 08-cgo.go121.trace ' (called from C) 3 '
has 08-cgo.go121.trace stats \
    ' in C 30.7 ms ' ' syscall 495' '1 in C main._Cfunc_busy main.compute (main.go:34) main.main (main.go:45)' \
    '50,000 in C main._Cfunc_tiny main.draw (main.go:28)'

# Regions that end in another order than they began in damage nothing, and the fault is found.
screen 01-region-overlap.trace 'the later ones are used, no data is lost' \
    'Lock contention: 4.28 goroutines waiting on average; 1,596 waits, 8.33 s' 'request 1,600 8.98 ms 23.2 ms sync 53.7%'
screen 02-region-double-end.trace '1 event contradicts earlier ones' 'held by main.work (main.go:25)'

# Who makes the pauses long, under collector load, too.
screen 05-greedy-under-gc.go121.trace 'Long stop-the-world pause: up to 16.7 ms' 'delayed by main.encoder (main.go:26)' \
    'longest stop 16.7 ms, at 0.455184s'

# Stops of the world and assists are columns of tasks and regions.
has 06-stopped-in-region.trace.zst stats:by=region 'all 4.00 ms runnable 86.8%, running 13.2%; world stopped 36.1%'
screen 06-stopped-in-region.trace.zst 'forced by main.main.func2 (main.go:43)' '50 stops, 479 ms'
screen 11-assist-in-tasks.trace.zst '1. GC pressure: 71.7%' 'also causes: Not enough Ps' 'request 15,000 8.77 µs 208 µs running 76.3%; GC assists 38.1%'

# What unblocked a goroutine.
has 14-one-goroutine.trace events:goroutine=1,format=line,time=relative \
    'GoID=1 Waiting->Runnable Reason="" Stack=runtime.chansend1' 'Place=main.main.arm.expire.func1'

# Healthy programs.
screen 17-idle-stdin.trace 'nothing stands out'
screen 17-idle-child.trace 'nothing stands out'

# Waits at one place: their distribution, the longest and when.
screen 18-rwmutex-convoy.trace 'held by main.(*cache).list (main.go:22); waiting: main.(*cache).get' \
    'longest wait 24.0 ms, at 1.017032s'
has 18-rwmutex-convoy.trace stats:by=finding 'waiting main.(*cache).get /src/repo/18-rwmutex-convoy/main.go:32 22.9 s in 1,240 waits' \
    'main.(*cache).update /src/repo/18-rwmutex-convoy/main.go:26 584 ms in 31 waits'
has 18-rwmutex-convoy.trace stats:by=stack 'main.(*cache).get (main.go:32)' \
    'p50 18.2 ms, p99 24.0 ms, longest 24.0 ms, at 1.017032s (2026-11-28T11:49:15.555558Z)'

# A burst: its moment, its height, who made it, and whose it is; more Ps are no advice for Ps that are idle.
screen 19-runnable-spike.trace '1.23 queued per P, in bursts; 28.9 s in all; GOMAXPROCS=2, 3.7% busy' \
    'queued by main.refreshAll; waiting: main.refreshAll.func1' \
    'most runnable 389.5 (mean of 2.10 ms), at 4.411606s (2026-11-28T11:49:36.112029Z)'
has 19-runnable-spike.trace stats:by=finding 'queued by main.refreshAll /src/repo/19-runnable-spike/main.go:31' \
    'create or wake fewer at once'
has 19-runnable-spike.trace stats 'most runnable: 389.5 (mean of 2.10 ms), at 4.411606s, most of main.refreshAll.func1'

# A handler that waits nearly all its time, without being at fault.
screen 21-serial-calls.trace 'nothing stands out' 'main.handle 5 - - select 96.5%'

# One wait of one request, for a lock that is held during a POST.
for n in 1 2; do
    screen 22-flight-recorder-$n.trace 'held by main.sendReport (main.go:45); waiting: main.main.guess.func3'
done
screen 22-flight-recorder-2.trace 'longest wait 151 ms, at 1.005116s'
exit $failed
