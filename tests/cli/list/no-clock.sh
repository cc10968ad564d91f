# A trace that was cut does not say how fast its clock runs: all is listed but times.
head -c 7054 "$DATA/v1/go111-gc.trace" >cut.trace
tracepipe --sink list:batches=yes cut.trace || echo $?
tracepipe --list --frequency 31250030 cut.trace
# The same of later ones.
"$SYNTH" --seed 11 --version 22 --gen-events 100 --zero-freq 1 >killed.trace
tracepipe --sink list:batches=yes,format=json killed.trace >got || echo $?
grep -o '"ticks_per_second":[^,]*\|"first_ns":[^,]*\|"error":[^,]*' got | sort | uniq -c
