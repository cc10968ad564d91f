#!/bin/bash
# Runs golden cases of the command line.
#
#   run-golden.sh [--update] --tracepipe PROGRAM --synth PROGRAM AREA|CASE.sh...
#
# A case is tests/cli/AREA/CASE.sh, with what it shall print and return beside
# it: CASE.stdout, CASE.stderr, CASE.exit. Without these files it prints nothing
# and returns 0. It is run by `bash -eo pipefail`, so that a program that fails
# where the case does not expect it ends the case, in a fresh empty folder, with
# nothing on stdin, and finds
#
#   tracepipe   on PATH: the program under test
#   $TRACEPIPE  the same as a path
#   $DATA       the bundled traces, tests/data/traces
#   $SYNTH      the generator of traces; beside it lies go-program, which writes a program
#
# Every case runs once per line of `variants` below: the program gets these
# flags before its own (of two flags that say the same the later wins), and the
# bytes must be the same each time. Nothing is normalised: a case that looks at
# something that varies has to reduce it itself.
#
# The last variant requires the sandbox, so that whatever a case opens is found to be allowed.
# Where the kernel has none it goes without, and fault.sandbox is skipped.
#
# TRACEPIPE_VARIANTS=1 runs the last variant only, for builds in which both would take too long.
#
# --update writes what the first variant printed as the new expectation (the
# others must still agree with it). Read the diff before you commit it.
set -euo pipefail

variants=(
    '-j1 --io pread'
    '-j8 --io auto --sandbox=require'
)
[ "${TRACEPIPE_VARIANTS:-2}" = 2 ] || variants=("${variants[1]}")
# Longer than any case, shorter than a test that hangs is fun.
limit_s=${TRACEPIPE_CASE_LIMIT_S:-120}

here=$(cd "$(dirname "$0")" && pwd)
update=no program='' synth=''
while [ $# -gt 0 ]; do
    case $1 in
    --update) update=yes ;;
    --tracepipe) program=$(realpath -e "$2") && shift ;;
    --synth) synth=$(realpath -e "$2") && shift ;;
    -*)
        sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2
        exit 2
        ;;
    *) break ;;
    esac
    shift
done
if [ -z "$program" ] || [ -z "$synth" ] || [ $# = 0 ]; then
    "$0" --help
fi

cases=()
for word; do
    case $word in
    *.sh) cases+=("$(realpath -e "$word")") ;;
    *) cases+=("$here/$word"/*.sh) ;;
    esac
done

work=$(mktemp -d)
trap 'chmod -R u+rwX "$work"; rm -rf "$work"' EXIT
trap 'exit 130' INT TERM
mkdir "$work/bin"

export DATA=$here/../data/traces SYNTH=$synth TRACEPIPE=$work/bin/tracepipe
DATA=$(realpath -e "$DATA")
export PATH=$work/bin:$PATH LC_ALL=C TZ=UTC TERM=dumb PAGER=cat
unset TRACEPIPE_CORPUS ARGP_HELP_FMT POSIXLY_CORRECT COLUMNS LINES LESS

said=$("$program" --sandbox=require --sink null "$DATA/go126-user.trace" 2>&1) || true
if [[ $said == *'--sandbox=require: no '* ]]; then
    echo 'the sandbox cannot be required here'
    variants=("${variants[@]/ --sandbox=require/}")
fi

# use FLAGS: what `tracepipe` shall be from now on.
use() {
    printf '#!/bin/sh\nexec %q %s "$@"\n' "$program" "$1" >"$TRACEPIPE"
    chmod +x "$TRACEPIPE"
}

# run CASE OUT: leaves OUT.stdout, OUT.stderr, OUT.exit.
run() {
    local folder=$work/folder rc=0
    mkdir "$folder"
    (cd "$folder" && exec timeout -k 10 "$limit_s" bash -eo pipefail "$1") \
        </dev/null >"$2.stdout" 2>"$2.stderr" || rc=$?
    echo $rc >"$2.exit"
    chmod -R u+rwX "$folder"
    rm -rf "$folder"
}

# default STREAM: prints the file that stands for an absent expectation.
default() {
    case $1 in
    exit) echo "$work/zero" ;;
    *) echo /dev/null ;;
    esac
}
echo 0 >"$work/zero"

# compare WANTED GOT WHAT: prints the difference.
compare() {
    cmp -s "$1" "$2" && return 0
    echo "--- $3"
    diff -a --label wanted --label got -u "$1" "$2" | head -n 60 || true
    return 1
}

failed=0
for script in "${cases[@]}"; do
    name=${script%.sh} bad=0
    for n in "${!variants[@]}"; do
        use "${variants[n]}"
        run "$script" "$work/got"
        for stream in exit stdout stderr; do
            expectation=$name.$stream got=$work/got.$stream
            if [ $update = yes ] && [ "$n" = 0 ]; then
                if cmp -s "$got" "$(default $stream)"; then
                    rm -f "$expectation"
                elif ! cmp -s "$got" "$expectation"; then
                    cp "$got" "$expectation"
                    echo "updated ${expectation#"$here"/}"
                fi
            fi
            [ -e "$expectation" ] || expectation=$(default $stream)
            compare "$expectation" "$got" "${name#"$here"/}.$stream with ${variants[n]}" || bad=1
        done
    done
    if [ $bad != 0 ]; then
        echo "FAILED ${name#"$here"/}"
        failed=$((failed + 1))
    fi
done
echo "${#cases[@]} cases, $failed failed"
[ $failed = 0 ]
