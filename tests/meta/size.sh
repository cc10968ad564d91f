#!/bin/bash
# No room grows unseen: the lines of C of each folder of src and include, without blank lines,
# comments and #include lines, stay within its budget in size.budget, which has a row for each room.
# A commit that raises a budget says why; one that makes a room smaller lowers it.
#
#   size.sh SOURCE_ROOT [--update]     --update: the lines of today become the budgets
set -euo pipefail
export LC_ALL=C
cd "$1"
table=tests/meta/size.budget

# measure: lines "ROOM LINES", sorted.
measure() {
    find src include \( -name '*.[ch]' -o -name '*.def' \) -type f -print0 | xargs -0 awk '
        FNR == 1 {
            room = FILENAME
            sub("/[^/]*$", "", room)
            lines[room] += 0
            inside = 0
            code = ""
        }
        {
            # A comment joins the line before it with that after it.
            rest = $0
            for (;;) {
                if (inside && !(at = index(rest, "*/")))
                    next
                if (inside)
                    rest = substr(rest, at + 2)
                sub("//.*", "", rest)
                if (!(inside = at = index(rest, "/*")))
                    break
                code = code substr(rest, 1, at - 1)
                rest = substr(rest, at + 2)
            }
            code = code rest
            if (code !~ /^[ \t]*(#include.*)?$/)
                lines[room]++
            code = ""
        }
        END { for (room in lines) print room, lines[room] }' | sort
}

if [ "${2-}" = --update ]; then
    measure >"$table"
fi
measure | awk -v table="$table" '
    FILENAME == table { budget[$1] = $2; budgets += $2; next }
    { rooms++; total += $2 }
    !($1 in budget) { print $1 " has " $2 " lines and no row in " table; bad = 1; next }
    $2 > budget[$1] { print $1 " has " $2 " lines, its budget is " budget[$1]; bad = 1 }
    { delete budget[$1] }
    END {
        for (room in budget) { print table " has a row for " room ", which is no room"; bad = 1 }
        if (rooms < 20) { print "only " rooms + 0 " rooms found"; bad = 1 }
        print total " lines in " rooms " rooms, budget " budgets
        exit bad
    }' "$table" -
