# A wrong byte inside a batch that is sound outside: the trace counts as whole,
# what could not be decoded is told.
"$SYNTH" --seed 11 --generations 3 --overwrite-at 40000 --overwrite-len 300 --overwrite-byte 255 >a.trace
tracepipe --sink stats:level=counts,format=csv a.trace >a.csv || echo $?
grep -E '^,(complete_count|damaged_count|lost_bytes|undecoded_bytes|undecoded_batch_count),' a.csv
tracepipe --sink text -o a.txt a.trace || echo $?
