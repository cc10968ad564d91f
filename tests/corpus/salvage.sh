#!/usr/bin/env bash
# What is saved of damaged traces: every byte of each file is in a batch, part of
# the structure, or lost; and as many batches and generations come out as
# salvage.tsv has recorded (by a person who read them).
#
#   salvage.sh TRACEPIPE [--update]
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
. "$here/lib.sh"
tracepipe=$1
corpus_find
corpus_work

cd "$corpus"
awk -F'\t' '$3 == "v2" && $1 ~ /^damaged\// || $1 ~ /killed/ && $3 == "v2" { print $1 }' MANIFEST.tsv |
    sort >"$work/list"
rc=0
"$tracepipe" -q --files-from "$work/list" --sink stats:level=counts,format=csv -o "$work/stats.csv" \
    --manifest "$work/manifest.json" 2>"$work/err" || rc=$?
[ $rc = 1 ] || { cat "$work/err"; echo "exit $rc, expected 1"; exit 1; }

# number KEY: the value of "KEY": N on each line of the manifest, "-" if absent.
# One line per input, in order.
sed -n 's/^{"path": "\([^"]*\)", "stored_bytes": \([0-9]*\).*"status": "\([a-z]*\)".*"stream_bytes": \([0-9]*\), "batch_bytes": \([0-9]*\), "structural_bytes": \([0-9]*\), "lost_bytes": \([0-9]*\), "opaque_bytes": \([0-9]*\), "unordered_bytes": [0-9]*, "damage_count": \([0-9]*\).*/\1\t\2\t\3\t\4\t\5\t\6\t\7\t\8\t\9/p' \
    "$work/manifest.json" >"$work/manifest.tsv"

awk -F'\t' '
    FILENAME ~ /stats/ { split($0, f, ","); if (f[2] == "generation_count") gens[f[1]] = f[4]
                         if (f[2] == "batch_count") batches[f[1]] = f[4]; next }
    {
        if ($4 != $5 + $6 + $7 + $8) { print $1 ": bytes do not add up" > "/dev/stderr"; bad = 1 }
        if ($3 != "refused" && $3 != "failed" && $4 != $2) {
            print $1 ": not all bytes were looked at" > "/dev/stderr"; bad = 1
        }
        print $1, $3, $5, $6, $7, $9, ($1 in batches ? batches[$1] : "-"), ($1 in gens ? gens[$1] : "-")
    }
    END { exit bad }' OFS='\t' "$work/stats.csv" "$work/manifest.tsv" >"$work/found"
{
    printf 'file\tstatus\tbatch_bytes\tstructural_bytes\tlost_bytes\tplaces\tbatches\tgenerations\n'
    cat "$work/found"
} >"$work/salvage.tsv"
[ "$(wc -l <"$work/found")" = "$(wc -l <"$work/list")" ] || { echo "inputs are missing"; exit 1; }

if [ "${2:-}" = --update ]; then
    cp "$work/salvage.tsv" "$here/salvage.tsv"
fi
diff -u "$here/salvage.tsv" "$work/salvage.tsv"
echo "$(wc -l <"$work/found") files as recorded"
