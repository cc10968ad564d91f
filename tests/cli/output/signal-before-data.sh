# A signal while a FIFO has no writer yet.
mkfifo in
env --default-signal=INT tracepipe --sink text -o out.txt in &
pid=$!
sleep 0.3
kill -TERM $pid
{ wait $pid; } 2>/dev/null || echo $?
ls -A
