#!/bin/bash
# The JSON of `stats` against its schemas in docs/format, by python3-jsonschema: of bundled,
# generated, damaged and odd inputs. A document with something too many must be refused, or
# the validator would prove nothing.
#
#   schema.sh TRACEPIPE SYNTH
set -euo pipefail
export LC_ALL=C.UTF-8
root=$(cd "$(dirname "$0")/../.." && pwd)
tracepipe=$(realpath -e "$1") synth=$(realpath -e "$2")
# That of the system: another one in front of it may lack the package.
python=/usr/bin/python3
"$python" -c 'import jsonschema' 2>/dev/null || {
    echo 'python3-jsonschema is missing: tools/install-deps' >&2
    exit 1
}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$root"/tests/data/traces/*.trace "$work"
"$synth" --seed 5 --version 25 >"$work/generated.trace"
"$synth" --seed 6 --generations 6 --samples 50 --truncate 100001 >"$work/cut.trace"
"$synth" --seed 7 --odd-strings 60 --overwrite-at 60000 --overwrite-len 3000 >"$work/odd.trace"
"$synth" --generations 0 >"$work/header.trace"
: >"$work/empty.trace"

# validate SCHEMA DOCUMENT
validate() {
    "$python" - "$root/docs/format/$1" "$2" <<'PYTHON'
import json
import sys

import jsonschema

with open(sys.argv[1]) as f:
    schema = json.load(f)
with open(sys.argv[2], errors="surrogateescape") as f:
    document = json.load(f)
checker = jsonschema.validators.validator_for(schema)
checker.check_schema(schema)
errors = sorted(checker(schema).iter_errors(document), key=str)
for error in errors[:5]:
    print(list(error.absolute_path), error.message[:200])
sys.exit(1 if errors else 0)
PYTHON
}

failed=0
# check SCHEMA LEVEL INPUT...
check() {
    local schema=$1 level=$2
    shift 2
    "$tracepipe" -q --sink "stats:level=$level,format=json" "$@" >"$work/document" 2>/dev/null || true
    [ -s "$work/document" ] || { echo "no document: $*"; failed=1; }
    validate "$schema" "$work/document" || { echo "$schema: $*"; failed=1; }
}
for level in counts full; do
    schema=stats.schema.json
    [ $level = counts ] || schema=stats.$level.schema.json
    check "$schema" $level "$work"/*.trace
    for input in "$work"/*.trace; do
        check "$schema" $level "$input"
    done
    sed 's/"schema":/"surplus":1,&/' "$work/document" >"$work/wrong"
    ! validate "$schema" "$work/wrong" >/dev/null || { echo "$schema takes anything"; failed=1; }
done
exit $failed
