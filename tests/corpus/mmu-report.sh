#!/bin/bash
# Mutator utilisation as `stats:level=full` prints it, of single files under several settings
# and of all files together, equals that of Go's own code (mmu/build.sh), rounded down to
# parts of a million: for each window the MMU, its shares where there are any, and the sums
# behind the mean.
#
#   mmu-report.sh TRACEPIPE [TRACE...]
#
# Without traces: all of Go 1.22 and later in the corpus, and those bundled. Left out are
# those that Go gives up, or reads less of. Needs Go 1.26; skipped without.
# TRACEPIPE_SAMPLE=N looks at N files, evenly spread.
set -euo pipefail
. "$(dirname "$0")/lib.sh"
. "$(dirname "$0")/mmu/build.sh"
tracepipe=$(realpath -e "$1")
shift

mmu_files "$@"
go_mmu_build "$work/go-mmu"

# "FILE KEY VALUE" with the keys of the report: event count, then window and figure.
"$work/go-mmu" "${files[@]}" 2>"$work/words" | awk '
    function ppm(share) { return share < 1 ? int(share * 1000000) : 1000000 }
    $1 == "file" { file = $2; next }
    $1 == "events" { print file, "events", $2; next }
    $1 != 39 { next }
    $2 == "panic" { print file, "panic", 1; next }
    $2 == "integral" { print file, "curve_ns", $3; printf "%s mutator_ns %.0f\n", file, int($4) }
    $2 == "mmu" { print file, $3 "/mmu_ppm", ppm($4) }
    $2 == "mud" {
        split($3, part, "/")
        if (part[2] == 0.001) print file, part[1] "/p999_ppm", ppm($4)
    }' >"$work/go"

# report FLAG... -- FILE...: "KEY VALUE" of the run.
report() {
    "$tracepipe" --sink stats:level=full,format=csv "$@" 2>"$work/words" | awk -F, '
        $1 == "total" && $4 == "events" { print "events", $5 }
        $1 == "utilisation" { print ($2 != "" ? $2 "/" : "") $4, $5 }' || :
}

: >"$work/ours"
export TRACEPIPE_TEST_REFUTE=2
settings=('-j1 --io=pread' '-j2' '-j4 --chunk-size=4K')
for file in "${files[@]}"; do
    for i in "${!settings[@]}"; do
        # shellcheck disable=SC2086
        report ${settings[i]} "$file" | sed "s|^|$i $file |" >>"$work/ours"
    done
done

awk -v setting_count="${#settings[@]}" -v same="$work/same" -v least="$work/least" '
    FILENAME == ARGV[1] { go[$1, $2] = $3; next }
    { file = $2; key = $3; ours[$1, file, key] = $4; files[file]; keys[key] }
    END {
        for (file in files) {
            if ((file, "panic") in go || go[file, "events"] != ours[0, file, "events"]) {
                left_out++
                continue
            }
            print file >same
            for (key in keys) {
                if (!((0, file, key) in ours) || key !~ /ppm$|^curve_ns$|^mutator_ns$/) continue
                if (ours[0, file, "trace_count"] == 0) continue
                for (i = 0; i < setting_count; i++) {
                    compared++
                    if (ours[i, file, key] != go[file, key]) {
                        failures++
                        print "FAIL", i, file, key ":", ours[i, file, key], "instead of", go[file, key]
                    }
                }
                if (key ~ /ppm$/ && (!(key in low) || go[file, key] < low[key]))
                    low[key] = go[file, key]
                if (key !~ /ppm$/) sum[key] += go[file, key]
            }
        }
        for (key in low) print key, low[key] >least
        for (key in sum) printf "%s %.0f\n", key, sum[key] >least
        printf "%d files, %d left out, %d figures, %d differ\n", length(files), left_out, compared,
            failures
        exit !(compared > 8 * setting_count * (length(files) - left_out) && left_out * 10 < length(files) + 10 &&
            failures == 0)
    }' "$work/go" "$work/ours"

mapfile -t same <"$work/same"
for i in "${!settings[@]}"; do
    # shellcheck disable=SC2086
    report ${settings[i]} "${same[@]}" >"$work/all"
    sort "$work/least" >"$work/want"
    awk 'FILENAME == ARGV[1] { wanted[$1]; next } $1 in wanted' "$work/want" "$work/all" |
        sort | diff "$work/want" - || {
        echo "FAIL ${settings[i]}: all files together"
        exit 1
    }
done
echo "all ${#same[@]} files together: the same"
