#!/bin/bash
# What a sink costs besides its code: a row in src/sink/registry.c brings a
# folder of golden cases and a section of the manual with it.
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
for sink in "${sinks[@]}"; do
    compgen -G "tests/cli/$sink/*.sh" >/dev/null ||
        complain "sink $sink has no golden case in tests/cli/$sink/"
    grep -qiE "^\.S[hs] $sink\$" docs/man/tracepipe-sinks.7 ||
        complain "sink $sink has no section in docs/man/tracepipe-sinks.7"
done
[ $bad = 0 ] && echo "${#sinks[@]} sinks have goldens and sections"
exit $bad
