#!/bin/bash
# tools/test names the tests that run when ctest prints nothing for a while.
#
#   still-running.sh SOURCE_ROOT
set -euo pipefail
coproc { "$1/tools/still-running" 0.1; }
say() { printf '%s\n' "$@" >&"${COPROC[1]}"; }
expect() { # LINE...: the next lines, where a line about running tests may come any number of times
    local line
    for want; do
        IFS= read -r -t 60 line <&"${COPROC[0]}"
        while [[ $line == 'still running: '* && $line != "$want" ]]; do
            IFS= read -r -t 60 line <&"${COPROC[0]}"
        done
        [ "$line" = "$want" ] || {
            echo "'$line', not '$want'"
            exit 1
        }
    done
}
say '      Start  1: unit.a' '      Start 22: cli.b'
expect '      Start  1: unit.a' '      Start 22: cli.b' 'still running: cli.b unit.a'
say '1/2 Test  #1: unit.a ...........   Passed    0.01 sec'
expect '1/2 Test  #1: unit.a ...........   Passed    0.01 sec' 'still running: cli.b'
# A line that comes in two parts.
printf '2/2 Test #22: cli.b ...' >&"${COPROC[1]}"
expect 'still running: cli.b'
say '***Failed    9.99 sec' 'the end'
expect '2/2 Test #22: cli.b ...***Failed    9.99 sec' 'the end'
pid=$COPROC_PID
exec {COPROC[1]}>&-
wait "$pid"
