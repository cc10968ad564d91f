# Asked for, progress is shown even where stderr is no terminal.
"$SYNTH" --seed 1 --generations 4 --gen-events 20000 >a.trace
mkfifo in
tracepipe --progress --sink text -o a.txt in 2>message &
exec 3>in
cat a.trace >&3
for i in $(seq 300); do [ -s message ] && break; sleep 0.1; done
exec 3>&-
wait $! || echo $?
[ -s message ] || echo "no progress"
