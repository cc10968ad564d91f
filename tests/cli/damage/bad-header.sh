# A wrong byte where a batch begins: reading goes on at the next sound batches.
"$SYNTH" --seed 11 --generations 3 >good.trace
"$SYNTH" --seed 11 --generations 3 --overwrite-at 16 --overwrite-len 1 --overwrite-byte 255 >bad.trace
tracepipe --sink stats:level=counts,format=csv good.trace >good
tracepipe --sink stats:level=counts,format=csv bad.trace >bad || echo $?
diff <(cut -d, -f2- good) <(cut -d, -f2- bad) || [ $? = 1 ]
