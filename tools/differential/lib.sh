# Shared by `run` and `mutants`: comparing one trace with Go's tools, several jobs
# at a time, and the books about it. To be sourced, with `root` set.
#
# Set by the options: tracepipe oracle jobs checks. Set by lib_start: work.

export LC_ALL=C TZ=UTC

# Check: our sink, and the name that Go's tool has for the same.
declare -A sink_of=([events]=events [text]=text:header=no [footprint]=footprint
    [summary]=stats:level=summary,format=go-summary)
declare -A what_of=([events]=parsed [text]=wire [footprint]=footprint [summary]=summary)

OUR_LIMIT_S=20  # longer is a hang
GO_LIMIT_S=120  # its tool writes line by line
# The releases whose tools print the same bytes as we do, and the one that is asked.
REFERENCES='go1.26 go1.27'
reference=${GOTOOLCHAIN:-local}

tracepipe='' oracle='' jobs=2 checks='' keep='' seed=1 count=200

die() {
    echo "${0##*/}: $*" >&2
    exit 2
}

usage() {
    sed -n '2,/^set/s/^# \{0,1\}//p' "$0" >&2
    exit 2
}

number() {
    [[ $1 =~ ^[0-9]{1,15}$ ]] || die "not a number: $1"
    # Not octal.
    echo $((10#$1))
}

# common_option WORD VALUE: takes an option that both tools have; false for others.
common_option() {
    case $1 in
    --seed) seed=$(number "$2") ;;
    --count) count=$(number "$2") ;;
    --jobs) jobs=$(number "$2") ;;
    --keep) keep=$2 ;;
    --tracepipe) tracepipe=$2 ;;
    --oracle) oracle=$2 ;;
    --reference) reference=$2 ;;
    --only) checks=${2//,/ } ;;
    *) return 1 ;;
    esac
}

# program NAME PATH-IN-BUILD: prints where a program of ours is.
program() {
    local preset
    for preset in release dev; do
        if [ -x "$root/build/$preset/$2" ]; then
            echo "$root/build/$preset/$2"
            return
        fi
    done
    die "$1 is not built: cmake --preset release && cmake --build --preset release"
}

# version RELEASE: go1.N of it.
version() {
    (cd / && GOTOOLCHAIN=$1 go env GOVERSION) | cut -d. -f1,2
}

check_reference() {
    local name
    name=$(version "$reference") || die "no release $reference"
    [[ " $REFERENCES " == *" $name "* ]] ||
        die "$name prints other bytes than ${REFERENCES/ / and }: --reference, --oracle"
}

# lib_start: checks the options, makes the working folder.
lib_start() {
    local check
    for check in $checks; do
        [ -n "${sink_of[$check]-}" ] ||
            die "--only: $check is none of events, text, footprint, summary"
        [ "$check" != summary ] || [ -n "$oracle" ] ||
            die 'no tool of Go prints a summary: --oracle names one that does'
    done
    [ "$jobs" -ge 1 ] && [ "$count" -ge 1 ] || die '--jobs and --count begin at 1'
    tracepipe=${tracepipe:-$(program tracepipe src/cli/tracepipe)}
    tracepipe=$(realpath -e "$tracepipe") || die 'no such program'
    [ -n "$oracle" ] || check_reference
    work=$(mktemp -d "${TMPDIR:-/tmp}/tracepipe-differential-XXXXXX")
    mkdir "$work/jobs"
    if [ -z "$keep" ]; then
        keep=$work-kept
        keep_what=failures
    else
        keep_what=all
    fi
    mkdir -p "$keep"
    trap lib_end EXIT
    trap 'exit 130' INT TERM
}

lib_end() {
    local pids
    pids=$(jobs -rp)
    [ -z "$pids" ] || kill $pids 2>/dev/null || true
    wait
    rm -rf "$work"
    rmdir "$keep" 2>/dev/null || true
}

go_says() {
    if [ -n "$oracle" ]; then
        # It may have words of its own.
        timeout $GO_LIMIT_S $oracle "$1" "$2"
    else
        # Away from modules that ask for another release.
        (cd / && GOTOOLCHAIN=$reference exec timeout $GO_LIMIT_S go tool trace -d="$1" "$2")
    fi
}

# difference OURS GO: where, and the two lines.
difference() {
    local line
    line=$(cmp "$1" "$2" 2>&1 | sed 's/.*line //')
    if [[ $line =~ ^[0-9]+$ ]]; then
        printf 'line %s: [%s] where Go has [%s]' "$line" "$(line_of "$line" "$1")" \
            "$(line_of "$line" "$2")"
    else
        echo 'one of the two prints nothing'
    fi
}

line_of() {
    sed -n "$1{p;q}" "$2" | tr -d '\000' | cut -c1-200
}

# verdict DIR OUR-STATUS GO-STATUS: one word, then why.
#   same | refused (the same, and both failed) | unanswered (Go took too long, or its
#   Summarizer panics) | FAIL
verdict() {
    local ours=$2 go=$3
    if [ "$ours" = 124 ]; then
        echo "FAIL hangs"
    elif [ "$ours" -gt 3 ]; then
        echo "FAIL crashes: exit $ours"
    elif [ "$ours" -gt 1 ]; then
        echo "FAIL exit $ours: $(head -n 1 "$1/ours.err")"
    elif [ "$go" = 124 ] || [ "$go" = 137 ]; then
        echo unanswered
    elif [ "$((ours != 0))" != "$((go != 0))" ]; then
        echo "FAIL exit $ours where Go has $go: $(head -n 1 "$1/go.err")"
    elif ! cmp -s "$1/ours" "$1/go"; then
        echo "FAIL $(difference "$1/ours" "$1/go")"
    elif [ "$go" = 0 ]; then
        echo same
    else
        echo refused
    fi
}

# compare TRACE NAME DIR: all checks of one trace, and with events what is speculated; a
# line NAME<TAB>CHECK<TAB>VERDICT each. What differs is kept. DIR is empty and stays so.
compare() {
    local trace=$1 name=$2 dir=$3 check ours go answer
    if [[ " $checks " == *' events '* ]]; then
        speculated "$trace" "$name"
    fi
    for check in $checks; do
        ours=0 go=0
        timeout -k 5 $OUR_LIMIT_S "$tracepipe" --strict --sink "${sink_of[$check]}" "$trace" \
            >"$dir/ours" 2>"$dir/ours.err" </dev/null || ours=$?
        go_says "${what_of[$check]}" "$trace" >"$dir/go" 2>"$dir/go.err" </dev/null || go=$?
        # Go's Summarizer ends the program where ours goes on.
        [ "$check" != summary ] || ! grep -q '^panic: ' "$dir/go.err" || go=124
        answer=$(verdict "$dir" $ours $go)
        printf '%s\t%s\t%s\n' "$name" "$check" "$answer"
        if [[ $answer == FAIL* ]]; then
            echo "$name $check: ${answer#FAIL }" >&2
            for file in ours ours.err go go.err; do
                mv "$dir/$file" "$keep/$name.$check.$file"
            done
        fi
        rm -f "$dir"/*
    done
}

# speculated TRACE NAME: generations put in order before their turn come to the same, by
# the rules applied and a sum over all events. Leaves the rules in $work/jobs.
speculated() {
    local way answer=same
    for way in never always; do
        { timeout -k 5 $OUR_LIMIT_S "$tracepipe" -q --strict --speculate $way \
            --sink null:until=order,rules=yes,sum=yes "$1" 2>/dev/null </dev/null || true; } |
            grep -E '^(sum of|[A-Z0-9_]+ +[0-9])' >"$work/jobs/$2.$way" || true
    done
    if ! cmp -s "$work/jobs/$2.never" "$work/jobs/$2.always"; then
        answer='FAIL other sums'
        echo "$2 speculate: other sums" >&2
        cp "$work/jobs/$2."{never,always} "$keep"
    fi
    printf '%s\tspeculate\t%s\n' "$2" "$answer"
    rm "$work/jobs/$2.always"
    mv "$work/jobs/$2.never" "$work/jobs/$2.rules"
}

# run_jobs FUNCTION: calls it for every number from seed on, count times, several at
# once, each in a process of its own with its output in $work/jobs/NUMBER.tsv.
run_jobs() {
    local number running=0
    for ((number = seed; number < seed + count; number++)); do
        if [ $running = "$jobs" ]; then
            wait -n || true
            running=$((running - 1))
        fi
        # Not with &&, which would make `set -e` deaf.
        (
            "$1" "$number" >"$work/jobs/$number.part"
            mv "$work/jobs/$number.part" "$work/jobs/$number.tsv"
        ) </dev/null &
        running=$((running + 1))
    done
    wait
}

# merge_counts FILE...: adds up files of NAME<TAB>COUNT, in the order of names as
# they come.
merge_counts() {
    awk -F'\t' -v OFS='\t' '
        !($1 in sum) { name[++names] = $1 }
        { sum[$1] += $2 }
        END { for (i = 1; i <= names; i++) print name[i], sum[name[i]] }' "$@"
}

# rules_table: how often each rule of the order applied, over all traces.
rules_table() {
    compgen -G "$work/jobs/*.rules" >/dev/null || return 0
    find "$work/jobs" -name '*.rules' -exec awk -v OFS='\t' '/^[A-Z0-9_]+ +[0-9]+$/ { print $1, $2 }' {} + \
        >"$work/rules"
    merge_counts "$work/rules" |
        awk -F'\t' '
            BEGIN { printf "%-30s %12s\n", "rule", "hits" }
            { printf "%-30s %12s\n", $1, ($2 > 0 ? $2 : "NEVER") }'
    echo
}

# summary NOUN: what came of it all; false if anything failed.
summary() {
    local rc=0
    find "$work/jobs" -name '*.tsv' -exec cat {} + >"$work/results"
    awk -F'\t' -v noun="$1" -v done="$(find "$work/jobs" -name '*.tsv' | wc -l)" -v count="$count" '
        { split($3, word, " "); result[$2, word[1]]++; compared[$2]++; seen[$1] }
        END {
            for (name in seen) names++
            printf "%d %s\n\n%-10s %9s %9s %9s %11s %7s\n", names, noun, "check", "compared",
                "same", "refused", "unanswered", "FAILED"
            for (check in compared) {
                printf "%-10s %9d %9d %9d %11d %7d\n", check, compared[check], result[check, "same"],
                    result[check, "refused"], result[check, "unanswered"], result[check, "FAIL"] | "sort"
                bad += result[check, "FAIL"]
            }
            close("sort")
            if (done < count) printf "\n%d of %d jobs broke\n", count - done, count
            exit bad > 0 || done < count
        }' "$work/results" || rc=1
    if compgen -G "$keep/*" >/dev/null; then
        printf '\nkept in %s\n' "$keep"
    fi
    return $rc
}
