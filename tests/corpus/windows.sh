#!/bin/bash
# Time windows: what --from and --to print are the lines of the whole output whose
# times are in [from, to), and with --exact to the letter. Without it ordering begins in
# the middle, and may differ in what it cannot know: the state before a status, and
# names and parents of tasks begun earlier.
#
#   windows.sh TRACEPIPE bundled|corpus|damaged
#
# Ten windows of each of at least five traces that have several generations and are sound.
# Whether the window is looked for by batch headers (a file) or found by reading all (a
# pipe) makes no difference; with damaged traces only that is compared.
#
# TRACEPIPE_WINDOWS=N compares N windows of each file, for builds in which all would take too
# long.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
here=$(cd "$(dirname "$0")" && pwd)
tracepipe=$(realpath -e "$1")
WINDOWS_PER_FILE=${TRACEPIPE_WINDOWS:-10}

if [ "$2" = damaged ]; then
    corpus_find
    folder=$corpus/damaged
    files=()
    while read -r file; do
        file=${file#"$folder"/}
        files+=("${file%.trace}")
    done < <(find "$folder" -name '[0-9]*.trace' | sort | TRACEPIPE_SAMPLE=${TRACEPIPE_SAMPLE:-150} sample)
elif [ "$2" = bundled ]; then
    folder=$here/../data/traces
    files=(go122-gens go126-gens go126-alloc-gens go125-cpu go125-http go126-user hand)
else
    corpus_find
    folder=$corpus/v2
    files=()
    # Half of them: the others are as well covered by the tests of order.
    while read -r file; do
        file=${file#"$folder"/}
        files+=("${file%.trace}")
    done < <(find "$folder" -name '*-gens.trace' | sort | TRACEPIPE_SAMPLE=$((${TRACEPIPE_SAMPLE:-175} / 5)) sample)
fi
corpus_work
modes=('' --exact) way_only=no
if [ "$2" = damaged ]; then
    modes=('' --strict) way_only=yes
    WINDOWS_PER_FILE=${TRACEPIPE_WINDOWS:-4}
fi

# lines FROM TO: of the events on stdin (each with the lines that belong to it) those
# with FROM <= time < TO.
lines() {
    awk -v from="$1" -v to="$2" '
        match($0, /^M=-?[0-9]+ P=-?[0-9]+ G=-?[0-9]+ [A-Za-z]+ Time=-?[0-9]+/) {
            split(substr($0, RSTART, RLENGTH), part, "Time=")
            inside = part[2] + 0 >= from && part[2] + 0 < to
        }
        inside'
}

# known: without what a reader that begins in the middle cannot know.
known() {
    awk '
        /^M=.* StateTransition Time=/ { sub(/ [A-Za-z]+->/, " ->") }
        /^M=.* TaskEnd Time=/ && match($0, / ID=[0-9]+ /) { $0 = substr($0, 1, RSTART + RLENGTH - 1) }
        { print }'
}

# windows COUNT LENGTH: FROM<SPACE>TO, nanoseconds since the beginning; the same ones
# each time. The first reach over both ends.
windows() {
    awk -v count="$1" -v len="$2" '
        function random() { seed = (seed * 69069 + 5) % 2147483648; return seed / 2147483648 }
        BEGIN {
            seed = count + len % 1000003
            print 0, len + 1000000000
            for (i = 1; i < count; i++) {
                from = int(random() * len)
                print from, from + int(random() * (len - from)) + 1
            }
        }'
}

compared=0 failures=0
fail() {
    failures=$((failures + 1))
    echo "FAIL $*"
}

# same FILE FLAG...: from a file with each engine and from a pipe come the same bytes,
# words and exit status. Leaves the bytes in $work/window.
same() {
    local file=$1 way rc words piped
    shift
    for way in pipe pread auto; do
        rc=0
        if [ $way = pipe ]; then
            # Not `cat |`: who reads no further than the window leaves cat with a signal.
            "$tracepipe" --sink events "$@" - < <(cat "$folder/$file.trace") \
                >"$work/pipe" 2>"$work/words" || rc=$?
            piped=$(<"$work/words")" exit $rc"
            continue
        fi
        "$tracepipe" --io $way --sink events "$@" "$folder/$file.trace" \
            >"$work/window" 2>"$work/words" || rc=$?
        words=$(<"$work/words")" exit $rc"
        words=${words//": $folder/$file.trace: "/": -: "}
        if [ "$words" != "$piped" ] || ! cmp -s "$work/window" "$work/pipe"; then
            fail "$file $*: $way and pipe"
            [ "$words" = "$piped" ] || printf '%s says: %s\npipe says: %s\n' $way "$words" "$piped"
        fi
    done
}

# compare FILE FROM TO BEGIN: one window, in each mode.
compare() {
    local flags
    if [ $way_only = no ]; then
        lines $(($4 + $2)) $(($4 + $3)) <"$work/whole" >"$work/wanted"
        known <"$work/wanted" >"$work/wanted.known"
    fi
    for flags in "${modes[@]}"; do
        same "$1" --from "$2ns" --to "$3ns" $flags
        compared=$((compared + 1))
        [ $way_only = no ] || continue
        local wanted=$work/wanted
        if [ -z "$flags" ]; then
            wanted+=.known
            known <"$work/window" >"$work/known" && mv "$work/known" "$work/window"
        fi
        if ! cmp -s "$work/window" "$wanted"; then
            fail "$1 --from $2ns --to $3ns $flags"
            diff "$work/window" "$wanted" | head -n 4 || true
        fi
    done
}

for file in "${files[@]}"; do
    "$tracepipe" -q --sink events "$folder/$file.trace" >"$work/whole" 2>"$work/words" || true
    read -r begin end < <(awk '
        match($0, /^M=-?[0-9]+ P=-?[0-9]+ G=-?[0-9]+ [A-Za-z]+ Time=-?[0-9]+/) {
            split(substr($0, RSTART, RLENGTH), part, "Time=")
            if (begin == "") begin = part[2]
            end = part[2]
        }
        END { print begin == "" ? 0 : begin, end == "" ? 0 : end }' "$work/whole")
    while read -r from to; do
        compare "$file" "$from" "$to" "$begin"
    done < <(windows $WINDOWS_PER_FILE $((end - begin)))
done
echo "$compared comparisons of windows over ${#files[@]} traces, $failures failures"
[ $failures = 0 ] && [ ${#files[@]} -ge 5 ] &&
    [ $compared = $((${#files[@]} * WINDOWS_PER_FILE * ${#modes[@]})) ]
