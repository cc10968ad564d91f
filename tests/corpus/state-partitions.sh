#!/usr/bin/env bash
# 60 traces in 1,000 random partitions and orders give the same state and the same report:
# of the corpus if it is there, else bundled ones, and generated ones.
#
#   state-partitions.sh STATE-PARTITIONS
#
# TRACEPIPE_PARTITIONS=N makes it so many, for builds in which all would take too long.
set -euo pipefail
rounds=${TRACEPIPE_PARTITIONS:-1000}
here=$(cd "$(dirname "$0")" && pwd)
folder=${TRACEPIPE_CORPUS:-$here/../../../shared/corpus}/v2
[ -d "$folder" ] || folder=$here/../data/traces
mapfile -t traces < <(find "$folder" -name '*.trace' -not -path '*/traces/v1/*' -size -40k | LC_ALL=C sort)

jobs=$(nproc)
each=$(((rounds + jobs - 1) / jobs))
running=()
for ((first = 1; first <= rounds; first += each)); do
    last=$((first + each - 1))
    "$1" $first $((last < rounds ? last : rounds)) "${traces[@]}" &
    running+=($!)
done
failed=0
for job in "${running[@]}"; do
    wait "$job" || failed=1
done
exit $failed
