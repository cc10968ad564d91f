#!/bin/bash
# Phrases that Go developers had to read twice do not come back where users see them: in strings
# of the program, in the manual pages, in the descriptions of the schemas, in the README.
#
#   phrases.sh SOURCE_ROOT
set -euo pipefail
cd "$1"
# REGEX | what to write instead; _ is a blank or the border of a word
phrases='
_told_                          | is reported, is recorded
_tells (of|how|which|when)_     | reports, records
_one by one_                    | individually
_who (suffers|is to blame)_     | victim; responsible function
_by who ended it_               | by waker
[(]known of_|_is known of_      | N traces have ...
_in doubt_                      | inconsistent
_out of its mind_               | inconsistent
_believed_                      | used
_left out_                      | omitted, excluded, refused
_passed over_                   | skipped
_look(ed|s) at_                 | read, analysed
_behind (it|them|the|its)_      | after
_in front of_                   | before
_of no consequence_             | does not affect the output
_no reason given_               | blocked since before the trace
_booked_                        | counted
_do(es)? not exceed_            | is less than or equal to
_so many of (a|the)_            | N %
_as (it was )?asked for_        | as requested
_are too few_                   | need more than
_from creation to end,          | lifetime
_left to the program_           | mutator utilisation
_what (it|they) comes? to_      | the report, the sum
_sink of one.s own_             | your own sink
_has to be larger_              | increase
_state of statistics_           | statistics state
_is no (ELF|regular|trace|UTF)  | is not
_makes of (it|them|traces)_     | outputs
_prices of_                     | benchmarks
_has .* in its name_            | filter: ...
_not judged_                    | not analysed
_slower than their fellows_     | slow tail
_held too long_                 | lock contention
_[Tt]oo few Ps_                 | not enough Ps
_[Ll]ate to get a P_            | high scheduling latency
_holds a P too long_            | hogs a P
_stopped too long_              | long stop-the-world pause
_of what makes_                 | N % of the way
_reasons to wait_               | reasons of blocking
_names? no file_                | have no files
_the events end_|_ends the events_ | the ordered events end before
_add up[.]                      | are added together
'
# seen: FILE:LINE: TEXT of all that users see.
seen() {
    git ls-files 'src/*.[ch]' 'src/*.def' 'include/*.h' | xargs awk '
        /^[ \t]*\/\// || /^#include/ { next }
        {
            for (rest = $0; match(rest, /"([^"\\]|\\.)*"/); rest = substr(rest, RSTART + RLENGTH))
                print FILENAME ":" FNR ": " substr(rest, RSTART + 1, RLENGTH - 2)
        }'
    grep -Hn '"description"' docs/format/*.schema.json
    grep -Hn '' docs/man/*.[1-9] README.md
}
seen | phrases=$phrases awk '
    BEGIN {
        row_count = split(ENVIRON["phrases"], rows, "\n")
        for (i = 1; i <= row_count; i++)
            if (match(rows[i], / +\| /)) {
                regex[++count] = substr(rows[i], 1, RSTART - 1)
                gsub(/_/, "([^A-Za-z]|^|$)", regex[count])
                instead[count] = substr(rows[i], RSTART + RLENGTH)
            }
    }
    {
        line_count++
        for (i = 1; i <= count; i++)
            if ($0 ~ regex[i]) {
                print $0 "\n    write instead: " instead[i]
                bad = 1
            }
    }
    END {
        if (count < 20 || line_count < 5000) {
            print count " phrases, " line_count " lines: too little was read"
            bad = 1
        }
        if (!bad) print count " phrases in none of " line_count " lines"
        exit bad
    }'
