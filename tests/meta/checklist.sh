#!/bin/bash
# docs/format/checklist.md says which tests show what the formats and Go's packages ask
# for, docs/reliability.md which show what tracepipe promises. Every row names tests that
# exist, or says why a reader has none: the names are those of ctest, functions that their
# file runs, and golden cases.
#
#   checklist.sh SOURCE_ROOT BUILD_ROOT
set -euo pipefail
cd "$1"
build=$2
bad=0
complain() {
    echo "$file:$1: $2"
    bad=1
}

declare -A tests=()
while read -r name; do
    tests[$name]=1
done < <(find "$build" -name CTestTestfile.cmake -print0 |
    xargs -0 sed -nE 's/^add_test\((\[=*\[)?([A-Za-z0-9._-]+).*/\2/p')
if [ ${#tests[@]} -lt 100 ]; then
    echo "only ${#tests[@]} tests below $build"
    exit 1
fi

# check_functions LINE UNIT FUNCTION...
check_functions() {
    local line=$1 source=tests/unit/test_$2.c function
    shift 2
    for function; do
        grep -qsE "^ +[A-Za-z_]+\($function[,)]" "$source" ||
            complain "$line" "$source runs no $function"
    done
}

# check_name LINE NAME: what stands in a code span.
check_name() {
    local line=$1 name=$2 functions=
    case $name in
    unit.*)
        functions=${name#"${name%%:*}"} name=${name%%:*}
        [[ $functions == *[a-z]* ]] || complain "$line" "$name without a function"
        check_functions "$line" "${name#unit.}" ${functions//[:,]/ }
        ;;
    cli.*/*)
        [ -e "tests/cli/${name#cli.}.sh" ] || complain "$line" "no case $name"
        name=${name%%/*}
        ;;
    esac
    [ -n "${tests[$name]-}" ] || complain "$line" "no test $name"
}

# check_file FILE LEAST: of the rows and of the names as many have to be found.
check_file() {
    local least=$2 rows=0 names=0 line rest spans name
    file=$1
    # A row as its line, what is outside of code spans in its second cell, and the spans, one a
    # field. `-` stands for nothing, as read joins empty fields.
    while IFS=$'\t' read -r line rest spans; do
        rows=$((rows + 1))
        case $rest in
        - | 'runtime only: '[a-z]*) ;;
        *) complain "$line" "neither tests nor a reason, but: $rest" ;;
        esac
        [ "$rest$spans" != -- ] || complain "$line" "neither a test nor a reason"
        [ "$spans" != - ] || continue
        while read -r name; do
            names=$((names + 1))
            check_name "$line" "$name"
        done < <(tr '\t' '\n' <<<"$spans")
    done < <(awk -F' [|] ?' -v OFS='\t' '
        !/^\|/ || /^\|[-|]+$/ { next }
        /^\| (what|promise) \|/ { next }
        {
            n = split($2, part, "`")
            rest = spans = ""
            for (i = 1; i <= n; i++) {
                if (i % 2 == 0)
                    spans = spans (spans == "" ? "" : "\t") part[i]
                else
                    rest = rest part[i]
            }
            # What divides names is nothing of its own.
            if (rest ~ /^[ ,]*$/)
                rest = "-"
            if (NF != 3 || $3 != "" || n % 2 == 0)
                rest = "not two cells with whole code spans"
            print NR, rest, spans == "" ? "-" : spans
        }' "$file")

    # A check that has read nothing proves nothing.
    [ $rows -ge "$least" ] && [ $names -ge "$least" ] ||
        complain 1 "only $rows rows and $names names found"
    echo "$file: $names tests for $rows rows"
}

check_file docs/format/checklist.md 110
check_file docs/reliability.md 30
exit $bad
