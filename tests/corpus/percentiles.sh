#!/usr/bin/env bash
# The distributions of `stats:level=full` against sorted lists: every duration is taken
# from the text of the events and booked under the names of `level=summary`, both of which
# are Go's to the byte. Number, sum, maximum and what was cut must be the same, percentiles
# within 1/128.
#
#   percentiles.sh TRACEPIPE
#
# Traces in which a goroutine shows another start function later are left out: the
# summary keeps the first.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
tracepipe=$(realpath -e "$1")
corpus_find
corpus_work

# durations TRACE: lines "function<TAB>state or reason<TAB>ns", and "cut" behind the ns
# where the duration had begun before the trace or not ended with it.
durations() {
    {
        "$tracepipe" --sink stats:level=summary "$1" |
            sed -n 's/^{"goroutine":.*"id":\([0-9]*\),"name":"\([^"]*\)",.*/N\t\1\t\2/p'
        "$tracepipe" --sink events "$1"
    } | awk -F'\t' -v OFS='\t' '
        function value(key,    from) {
            from = index($0, key) + length(key)
            return substr($0, from)
        }
        function book(g, ns, is_cut) {
            if (what[g] != "") print name[g], what[g], ns, is_cut
        }
        $1 == "N" { name[$2] = $3; next }
        !/^M=/ { next }
        { time = value(" Time=") + 0 }
        / Sync Time=/ { sync = time }
        / StateTransition / && / GoID=/ {
            g = value(" GoID=") + 0
            split(value(" GoID=" g " "), part, /->| /)
            if (part[1] == part[2]) next
            reason = value(" Reason=\"")
            sub(/"[^"]*$/, "", reason)
            if (part[1] == "Undetermined") lead[g] = time - sync
            else if (part[1] != "NotExist") book(g, time - since[g], is_cut[g])
            is_cut[g] = part[1] == "Undetermined" ? "cut" : ""
            since[g] = time
            what[g] = part[2] == "Running" ? "running" : part[2] == "Runnable" ? "runnable" : \
                part[2] == "Syscall" ? "syscall" : part[2] == "Waiting" ? "block " reason : ""
            if (what[g] == "block forever") what[g] = ""
            if (part[1] == "Undetermined") book(g, lead[g], "cut")
        }
        END { for (g in what) book(g, time - since[g], "cut") }'
}

# compare TRACE: every row of goroutines.
compare() {
    durations "$1" | sort -t $'\t' -k1,1 -k2,2 -k4,4 -k3,3n >"$work/sorted"
    "$tracepipe" --sink stats:level=full,format=csv "$1" | grep '^goroutine,' |
        grep -v ',state,lifetime,\|,inferred_block,' >"$work/rows"
    awk -F'\t' -v trace="$1" '
        function finish(    i, q, rank) {
            rows[key] = n " " sum " " (n > 0 ? value[n] : 0) " " cut_count + 0 " " cut + 0
            for (i = 1; i <= 4; i++) {
                rank = int((n * share[i] + 999) / 1000)
                exact[key, i] = n > 0 ? value[rank > 0 ? rank : 1] : 0
            }
        }
        BEGIN { split("500 900 990 999", share, " ") }
        FILENAME == ARGV[1] {
            if ($1 FS $2 != key) {
                if (key != "") finish()
                key = $1 FS $2
                n = sum = cut_count = cut = 0
            }
            if ($4 == "cut") { cut_count++; cut += $3 }
            else { value[++n] = $3; sum += $3 }
            next
        }
        FNR == 1 { finish() }
        {
            # No name of these traces has a comma or a quote.
            count = split($0, field, ",")
            key = field[2] FS (field[3] == "block" ? "block " field[4] : field[4])
            got = field[5] " " field[6] " " field[7] " " field[12] " " field[13]
            if (got != rows[key]) { print trace ": " key ": " got ", not " rows[key]; bad++ }
            for (i = 1; i <= 4; i++) {
                off = field[7 + i] - exact[key, i]
                if (off < 0) off = -off
                if (off * 128 > exact[key, i]) {
                    print trace ": " key ": " field[7 + i] " for " exact[key, i]
                    bad++
                }
                checked++
            }
            seen[key] = 1
        }
        END {
            for (key in rows) if (!(key in seen)) { print trace ": no row " key; bad++ }
            print checked + 0, "percentiles of", trace
            exit bad > 0 || checked == 0
        }' "$work/sorted" "$work/rows"
}

failed=0
for trace in http gc lock tasks net mixed-gens; do
    for go in go1.23 go1.25 go1.26; do
        file=$corpus/v2/$go/$trace.trace
        [ ! -r "$file" ] || compare "$file" || failed=1
    done
done
exit $failed
