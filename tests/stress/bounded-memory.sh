#!/bin/bash
# Sums of many inputs stay within the bound: files of 80,000 stacks each, hardly any of which is
# in two of them.
#
#   bounded-memory.sh TRACEPIPE SYNTH RUSAGE
set -euo pipefail
program=$(realpath -e "$1") synth=$(realpath -e "$2") rusage=$(realpath -e "$3")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

FILES=9 BOUND_MIB=64 MOST_KIB=$((64 * 1024 * 5 / 4))

for i in $(seq $FILES); do
    "$synth" --seed "$i" --generations 1 --gen-events 200000 --strings 80000 --stacks 80000 \
        --functions 40000 -o "$i.trace"
done
"$rusage" -o peak "$program" -q -j2 --max-memory ${BOUND_MIB}M -o stats ./*.trace
# The fourth column is the peak in KiB.
peak_kib=$(tail -1 peak | cut -f 4)
echo "$FILES files at $BOUND_MIB MiB: $((peak_kib / 1024)) MiB"
[ "$peak_kib" -le $MOST_KIB ] || {
    echo "that is more than 1.25 times the bound" >&2
    exit 1
}
grep -q '^9 traces, ' stats
