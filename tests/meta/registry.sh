#!/bin/bash
# What a sink costs besides its code: a row in src/sink/registry.c brings a
# folder of golden cases and a section of the manual with it, which has an entry
# for each option that --help shows (tests/cli/flags/help.stdout).
#
#   registry.sh SOURCE_ROOT
set -euo pipefail
cd "$1"
bad=0
complain() {
    echo "$1"
    bad=1
}
mapfile -t sinks < <(sed -nE 's/^ +X\(([a-z0-9_]+)\).*/\1/p' src/sink/registry.c)
[ ${#sinks[@]} -ge 6 ] || complain "src/sink/registry.c: only ${#sinks[@]} rows X(name)"
manual=docs/man/tracepipe-sinks.7
# options SINK: the keys of its options, from --help.
options() {
    awk -v sink="$1" '/^  [a-z]/ { inside = $1 == sink } /^   +[a-z]+=/ && inside {
        sub(/=.*/, ""); print $1 }' tests/cli/flags/help.stdout
}
# section SINK: its section of the manual.
section() {
    awk -v sink="$1" '/^\.Sh / { inside = tolower($2) == sink } inside' "$manual"
}
for sink in "${sinks[@]}"; do
    compgen -G "tests/cli/$sink/*.sh" >/dev/null ||
        complain "sink $sink has no golden case in tests/cli/$sink/"
    text=$(section "$sink")
    [ -n "$text" ] || complain "sink $sink has no section in $manual"
    grep -qE "^  $sink  " tests/cli/flags/help.stdout || complain "--help does not show sink $sink"
    for key in $(options "$sink"); do
        grep -q "^\.It Cm $key Ns = Ns" <<<"$text" ||
            complain "$manual does not describe the option $key of $sink"
    done
done
[ $bad = 0 ] && echo "${#sinks[@]} sinks have goldens and sections"
exit $bad
