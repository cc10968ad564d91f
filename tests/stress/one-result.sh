#!/bin/bash
# What is written depends neither on the number of workers nor on the memory they may take:
# with less an input gives the same bytes, or is refused for it.
#
#   one-result.sh TRACEPIPE HOSTILE
#
# Where TRACEPIPE_SETTINGS is set, every fifth combination is tried: for builds in which all would
# take too long.
#
# Every input is sound, so it has a result at the default bound, whatever the workers.
set -euo pipefail
program=$(realpath -e "$1")
hostile=$(realpath -e "$2")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

inputs=(
    goroutines:1000000
    exits:150000
    threads:30000
    procs:150000
    generations:5000
    idle:100000
    tasks:150000
    regions:150000
    strings:400000
    stacks:100000
)
sinks=(stats stats:level=summary events text list)
bounds=(64M 256M 2G)
# Workers for a sink and a bound. Nothing but the reading of segments happens for the last two
# sinks, and nothing is scarce at the last two bounds.
jobs_of() {
    case $1.$2 in
    text.* | list.* | *.2G | *.default) echo 2 32 ;;
    *) echo 1 2 8 32 ;;
    esac
}
# Nor on these, which each run gets another one of.
others=('--io pread' '--chunk-size 16K' '--reread never' '--reread always --speculate always')

# KIND SINK JOBS BOUND OTHER: a line that begins with "same", "refused" or "bad".
try() {
    local out="$1.$2.$3.$4" status=0 bound=()
    [ "$4" = default ] || bound=(--max-memory "$4")
    # shellcheck disable=SC2086
    "$program" -j"$3" "${bound[@]}" $5 --sink "$2" -o "$out" "$1.trace" 2>"$out.messages" ||
        status=$?
    if [ $status = 0 ] && cmp -s "$out" "$1.$2.want"; then
        echo "same $out"
    elif [ $status = 3 ] && [ "$4" != default ] && [ "$4" != 2G ] &&
        grep -q -- 'increase --max-memory$' "$out.messages"; then
        echo "refused $out"
    else
        echo "bad $out ($5): status $status, $(head -1 "$out.messages")"
    fi
    rm -f "$out" "$out.messages"
}
export -f try
export program

for input in "${inputs[@]}"; do
    kind=${input%:*}
    "$hostile" "$kind" "${input#*:}" >"$kind.trace"
    for sink in "${sinks[@]}"; do
        "$program" -j1 --max-memory 4G --sink "$sink" -o "$kind.$sink.want" "$kind.trace"
    done
done
n=0 step=1
[ -z "${TRACEPIPE_SETTINGS:-}" ] || step=5
for input in "${inputs[@]}"; do
    for sink in "${sinks[@]}"; do
        for bound in "${bounds[@]}" default; do
            for j in $(jobs_of "$sink" "$bound"); do
                other=${others[n % ${#others[@]}]}
                [ $((n++ % step)) != 0 ] ||
                    printf '%s\0' "${input%:*}" "$sink" "$j" "$bound" "$other"
            done
        done
    done
done | xargs -0 -n 5 -P 2 bash -c 'try "$@"' try >found
if grep '^bad' found; then
    exit 1
fi
same=$(grep -c '^same' found) refused=$(grep -c '^refused' found || true)
echo "$same the same, $refused refused"
# Else the bounds were no bounds.
[ "$refused" -gt 0 ] && [ "$same" -gt "$refused" ]
