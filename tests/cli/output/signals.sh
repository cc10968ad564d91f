# SIGTERM and SIGINT remove temporary files and end the program by that signal.
# The input is a FIFO that is never closed, so that the run cannot end.
"$SYNTH" --seed 1 --generations 4 --gen-events 100000 >part
for signal in TERM INT; do
    mkfifo in
    # bash lets background jobs ignore SIGINT.
    env --default-signal=INT tracepipe --sink text -o out.txt --sink raw -o out.raw in &
    pid=$!
    exec 3>in
    cat part >&3
    for _ in $(seq 500); do
        [ "$(find . -name '.out.*' -size +0 | wc -l)" != 2 ] || break
        sleep 0.01
    done
    find . -name '.out.*' -size +0 | wc -l
    kill -$signal $pid
    { wait $pid; } 2>/dev/null || echo "$signal: $?"
    exec 3>&-
    rm in
    ls -A
done
