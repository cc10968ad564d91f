# The same of a trace however it comes, but for its size.
fields() { awk 'NR > 1 { $2 = ""; $NF = ""; print }' "$1"; }
for name in go126-gens v1/go111-gc; do
    tracepipe --list "$DATA/$name.trace" >plain
    fields plain
    gzip -nc "$DATA/$name.trace" >a.gz
    zstd -qc "$DATA/$name.trace" >a.zst
    tracepipe --sink text "$DATA/$name.trace" >a.txt
    for input in a.gz a.zst a.txt; do
        tracepipe --list "$input" >got
        diff <(fields plain) <(fields got)
    done
    tracepipe --list <"$DATA/$name.trace" >got
    diff <(fields plain) <(fields got)
    cat "$DATA/$name.trace" | tracepipe --list - >got
    diff <(fields plain) <(fields got)
done
# A compressed file that ends too early is listed as far as it goes.
head -c 5000 "$DATA/go126-gens.trace.gz" >cut.gz
tracepipe --list cut.gz
