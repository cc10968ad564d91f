#!/bin/bash
# Sums of many inputs stay within the bound, or an input is refused that would pass it.
#
#   bounded-memory.sh TRACEPIPE SYNTH RUSAGE HOSTILE
set -euo pipefail
program=$(realpath -e "$1") synth=$(realpath -e "$2") rusage=$(realpath -e "$3")
hostile=$(realpath -e "$4")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

FILES=7 BOUND_MIB=64

# WHAT STATUS ARGUMENT...: a run within the bound, with this exit status.
within() {
    local what=$1 want=$2 status=0
    shift 2
    "$rusage" -o peak "$program" -f -q -j2 --max-memory ${BOUND_MIB}M "$@" 2>messages || status=$?
    # The fourth column is the peak in KiB.
    local peak_kib
    peak_kib=$(tail -1 peak | cut -f 4)
    echo "$what at $BOUND_MIB MiB: $((peak_kib / 1024)) MiB, status $status"
    if [ "$peak_kib" -gt $((BOUND_MIB * 1024 * 5 / 4)) ]; then
        echo "that is more than 1.25 times the bound" >&2
        exit 1
    fi
    if [ "$status" != "$want" ]; then
        cat messages >&2
        exit 1
    fi
    if [ "$want" = 3 ]; then
        grep -q -- 'increase --max-memory$' messages
    fi
}

# Files of 80,000 stacks each, hardly any of which is in two of them, each with how long its waits take.
BOUND_MIB=76
for i in $(seq $FILES); do
    "$synth" --seed "$i" --generations 1 --gen-events 200000 --strings 80000 --stacks 80000 \
        --functions 40000 -o "$i.trace"
done
within "$FILES files" 0 -o stats ./*.trace
grep -q "^$FILES traces, " stats
rm ./*.trace
BOUND_MIB=64

# Long names of functions: more than fit.
"$hostile" names 100000 >names
within names 3 -o stats names

# Sinks that print the same totals gather them once: alone they take half of the bound.
"$hostile" names 30000 >names
within 'one sink' 0 -o one.txt names
within 'three sinks' 0 --sink stats -o stats --sink stats:format=state -o three.state \
    --sink stats:format=json -o json names
cmp stats one.txt

# Regions kept one by one: more than fit.
"$hostile" regions 250000 >regions
within regions 3 --sink stats:format=json,histograms=yes,keep=250000 -o stats regions

# What a bound wrote the same bound reads.
"$hostile" names 50000 >names
within 'a large state' 0 --sink stats:format=state -o large.state names
within 'the same' 0 --sink stats:format=state -o again.state large.state
cmp large.state again.state

# States, of which each fits.
for count in 24000 25000 26000; do
    "$hostile" names $count >names
    within 'a state' 0 --sink stats:format=state -o $count.state names
done
within states 0 -o stats 24000.state 25000.state 26000.state
within 'states, one too many' 3 -o stats large.state 26000.state

# Names that two inputs do not share are there twice while the totals are joined.
for count in 16000 25000; do
    "$hostile" names $count >names
    sed s/xxxxxxxx/yyyyyyyy/g names >others
    within "$count names and $count others" $((count == 16000 ? 0 : 3)) -o stats names others
done
