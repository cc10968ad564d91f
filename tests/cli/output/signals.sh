# SIGINT and SIGTERM. The input is a FIFO that is never closed, so that the run cannot end by itself: the
# first signal ends the input, and the outputs of what came are made. If nobody reads an output, the run
# cannot end, and the second signal ends it and removes temporary files. So does the first one
# if no input is a pipe.
"$SYNTH" --seed 1 --generations 4 --gen-events 100000 >part
# start WORD...: tracepipe in the background, whose number is $pid.
start() {
    # bash lets background jobs ignore SIGINT.
    env --default-signal=INT tracepipe "$@" 2>messages &
    pid=$!
}
# until_there NUMBER: that many temporary files have bytes.
until_there() {
    for _ in $(seq 500); do
        [ "$(find . -name '.out.*' -size +0 | wc -l)" -lt "$1" ] || return 0
        sleep 0.01
    done
    echo 'no temporary files'
}
ended() { # SIGNAL
    { wait $pid; } 2>/dev/null || echo "$1: $?"
}
for signal in TERM INT; do
    mkfifo in
    start --sink text -o out.txt --sink raw -o out.raw --sink stats:level=counts,format=json -o out.json in
    exec 3>in
    cat part >&3
    until_there 2
    kill -$signal $pid
    ended $signal
    exec 3>&-
    sed -n 's/.*\(input ends early.*offset\).*/\1/p' messages
    cmp -n "$(stat -c %s out.raw)" part out.raw
    ls -A
    grep -o '"status":"[a-z]*"' out.json
    rm in out.*
done
echo 'a second time'
for signal in TERM INT; do
    mkfifo in out
    exec 4<>out
    start --sink raw -o out.raw --sink text in 3>&- 4>&- >out
    exec 3>in
    cat part >&3 &
    writer=$!
    until_there 1
    kill -$signal $pid
    sleep 0.2
    kill -$signal $pid
    ended $signal
    exec 3>&- 4>&-
    wait $writer 2>/dev/null || true
    rm in out
    ls -A
done
echo 'files'
mkfifo out
exec 4<>out
start --sink raw -o out.raw --sink text part 4>&- >out
until_there 1
kill -TERM $pid
ended TERM
exec 4>&-
rm out
ls -A
