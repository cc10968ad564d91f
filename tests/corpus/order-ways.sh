#!/bin/bash
# Every way of putting a trace in order gives the same events, errors and counts of
# rules.
#
#   order-ways.sh ORDER-WAYS SYNTH FOLDER
#
# FOLDER is `bundled` (tests/data/traces and generated traces) or `corpus`, of which
# TRACEPIPE_SAMPLE=N looks at N files, evenly spread.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
here=$(cd "$(dirname "$0")" && pwd)
ways=$(realpath -e "$1") synth=$(realpath -e "$2")

corpus_work
if [ "$3" = corpus ]; then
    corpus_find
    mapfile -t files < <(find "$corpus"/{v2,damaged,public} -name '*.trace' | sort | sample)
else
    for seed in 1 2 3 4 5 6 7 8; do
        "$synth" --seed $seed --version $((seed % 2 == 0 ? 26 : 23)) --generations 5 --threads 9 \
            --gen-events 3000 --skew-ticks $((seed * 40)) >"$work/$seed.trace"
    done
    # So many threads that those that wait are kept apart without being told to.
    "$synth" --generations 3 --threads 120 --gen-events 6000 --skew-ticks 4000 --step-ticks 10000 \
        >"$work/many.trace"
    # So many goroutines that they are asked for ahead.
    "$synth" --generations 2 --goroutines 6000 --gen-events 20000 >"$work/goroutines.trace"
    files=("$here"/../data/traces/*.trace "$work"/*.trace)
fi

"$ways" "${files[@]}" | tee "$work/out"
# Most assumptions come true, or they are not worth making. But in generated traces many goroutines end
# while regions of an earlier generation are open, which the order proper alone can count.
awk 'END { exit !($1 > 50 && $6 > $1 / 5 * 2) }' "$work/out" || {
    echo 'FAIL too few generations were taken over'
    exit 1
}
