#!/bin/bash
# Code says which argument of an event it means by its name: tp_arg, tp_wire_arg, tp_v1_arg, or
# TP_ARG_..., which are made from src/decode/*.def. A number in its place means another argument
# as soon as the event is of another type.
#
#   args.sh SOURCE_ROOT
set -euo pipefail
cd "$1"
if grep -rnE '\bargs\[[0-9]+\]' src --include='*.[ch]' --include='*.def'; then
    echo 'name these arguments: src/decode/spec.h, src/decode/spec_v1.h, src/merge/tables/event_args.h'
    exit 1
fi
echo "no argument is named by a number"
