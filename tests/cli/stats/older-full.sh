# What is said of traces from before Go 1.22 beside later ones, and of all in one state.
cp "$DATA"/v1/*.trace "$DATA/go126-user.trace" .
tracepipe --sink stats:top=4 go19-stw.trace go111-gc.trace go121-cpu.trace go126-user.trace >got || echo $?
head -n 40 got
tracepipe --sink stats:format=state -o all.stats *.trace
tracepipe --sink stats:top=4 all.stats | cmp - got || echo differs
tracepipe --sink stats:level=summary,format=go-summary go121-cpu.trace >got
head -c 300 got
echo
