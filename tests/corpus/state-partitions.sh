#!/usr/bin/env bash
# 60 traces in 1,000 random partitions and orders give the same state and the same report:
# of the corpus if it is there, else bundled ones, and generated ones.
#
#   state-partitions.sh STATE-PARTITIONS
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
corpus=${TRACEPIPE_CORPUS:-$here/../../../shared/corpus}
folder=$corpus/v2
[ -d "$folder" ] || folder=$here/../data/traces
find "$folder" -name '*.trace' -size -200k | LC_ALL=C sort |
    xargs "$1" 1000
