#!/bin/bash
# Mutator utilisation of whole traces: curves, MMU and distribution equal those
# of Go's own code, to the last bit.
#
#   mmu.sh MMU-FIGURES [TRACE...]
#
# Without traces: all of Go 1.22 and later in the corpus, and those bundled. Go's code gives up (panics) on
# some traces; what it does not answer is listed and left out. Needs Go 1.26, whose
# internal packages the program below mmu/ is built with; skipped without.
# TRACEPIPE_SAMPLE=N looks at N files, evenly spread.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/mmu/build.sh"
figures=$(realpath -e "$1")
shift

mmu_files "$@"

go_mmu_build "$work/go-mmu"

"$work/go-mmu" "${files[@]}" >"$work/go" 2>"$work/words"
"$figures" "${files[@]}" >"$work/ours" 2>"$work/words" || {
    cat "$work/words"
    echo "FAIL $figures"
    exit 1
}

# Lines of both by file, flags, what and window; "events" and "curve" are of one each.
awk -v listed=${#files[@]} '
    $1 == "file" { name = $2; if (FILENAME == ARGV[2]) files++; next }
    $1 == "events" { key = name " events"; value = $2 }
    $2 == "panic" {
        left_out[name " " $1] = 1
        print "left out: " name ": flags " $0
        next
    }
    $2 == "curve" { key = name " " $1 " curve"; value = $3 " " $4 " " $5 }
    $1 != "events" && $2 != "curve" {
        key = name " " $1 " " $2 " " $3
        value = $4
    }
    FILENAME == ARGV[1] { want[key] = value; if ($1 != "events") flags_of[key] = name " " $1; next }
    $1 != "events" && (name " " $1) in left_out { next }
    {
        compared++
        if (!(key in want)) { print "FAIL " key ": only ours"; failures++; next }
        if (want[key] "" != value "") {
            print "FAIL " key ": " value " instead of " want[key]
            failures++
            apart = value - want[key]
            if (apart < 0) apart = -apart
            if (apart > greatest && $2 != "curve") greatest = apart
        }
        delete want[key]
    }
    END {
        for (key in want)
            if (!(flags_of[key] in left_out)) { print "FAIL " key ": not ours"; failures++ }
        printf "%d files, %d figures, %d differ, by %g at most\n", files, compared, failures, greatest
        exit !(files == listed && compared > 50 * files && failures == 0)
    }' "$work/go" "$work/ours"
