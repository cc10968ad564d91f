#!/bin/bash
# Runs an example and compares what it prints, byte for byte, with EXPECTED.
#
#   check.sh EXPECTED STATUS PROGRAM WORD...
set -eu
expected=$1 status=$2
shift 2
got=0
out=$("$@" && echo x) || got=$?
[ $got = "$status" ] || {
    echo "$1: exit status $got, not $status"
    exit 1
}
diff -u "$expected" <(printf '%s' "${out%x}")
