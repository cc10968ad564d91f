#!/bin/bash
# Places: of traces that people asked about, each answer is a line of the report. They lie in the folder
# "reports" beside the corpus; without it the test is skipped.
#
#   where.sh TRACEPIPE
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

# has TRACE SINK TEXT...: each text is in consecutive lines, when spaces are made one.
has() {
    local trace=$1 sink=$2 text
    shift 2
    "$tracepipe" -q --sink "$sink" "$reports/$trace" | tr -s ' \n' ' ' >"$work/report" || true
    for text in "$@"; do
        grep -qF -- "$text" "$work/report" && continue
        echo "$trace, $sink: lacks '$text'"
        failed=1
    done
}

# Waits that had begun before the trace have the reason that their stack tells.
has 04-waits-since-before.trace stats:by=function \
    ' sync.(*Cond).Wait (inferred) 3.60 s ' ' select (inferred) 3.60 s ' ' chan send (inferred) 3.60 s ' \
    ' network (inferred) 1.20 s ' ' sleep (inferred) 3.60 s ' ' blocked since before the trace 5.40 s '
has 04-waits-since-before.trace stats:by=stack \
    '3.60 s 3 chan send (inferred) runtime.chansend runtime.chansend1 main.onSend (main.go:16)' \
    '3.60 s 3 select (inferred) runtime.selectgo main.onSelect (main.go:17)' \
    'main.onCond (main.go:19)' 'main.onSleep (main.go:21)' 'main.onNet (main.go:22)'

# Callers of one helper are rows of their own.
has 21-serial-calls.trace stats:by=stack \
    '4.47 s 80 runtime.selectgo' 'main.call (main.go:18) main.userService (main.go:26) 3.62 s 80' \
    'main.call (main.go:18) main.profileService (main.go:28) 2.93 s 80' \
    'main.call (main.go:18) main.authService (main.go:27)'

# Time in C is told from system calls, at the Go function that calls.
has 08-cgo.go121.trace stats \
    ' in C 30.7 ms ' ' syscall 495' '1 in C main._Cfunc_busy main.compute (main.go:34) main.main (main.go:45)' \
    '50,000 in C main._Cfunc_tiny main.draw (main.go:28)'
exit $failed
