#!/bin/bash
# What becomes of a run in which a check of the program itself fails.
#
#   checks.sh BROKEN_PROGRAM PROGRAM SYNTH
set -euo pipefail
broken=$1 program=$2 synth=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
ulimit -c 0

bad() {
    echo "FAILED: $*"
    cat err
    ls -AR
    exit 1
}

for name in a b c; do
    "$synth" --generations 2 --gen-events 20000 --seed "$(printf %d "'$name")" >$name
done
"$program" --sink text -o want --sink raw -o want a b c

# go HOW WORKERS: runs the broken program over the three.
go() {
    rm -rf out && mkdir out
    status=0
    TP_BREAK=$1 "$broken" -j"$2" --sink text -o out --sink raw -o out --manifest out/run.json a b c \
        2>err || status=$?
    left=$(find out -name '.*' -type f | wc -l)
    [ "$left" = 0 ] || bad "$left temporary files are left"
}

for workers in 1 4; do
    go none $workers
    [ $status = 0 ] || bad "status $status of a sound run"
    # An input whose extents do not add up fails, and only that one.
    go books:b $workers
    [ $status = 1 ] || bad "status $status of the run, not 1"
    grep -q '^tracepipe: b: internal error (src/.*); please report it' err || bad 'no message'
    [ "$(wc -l <err)" = 1 ] || bad 'other messages'
    rm out/run.json
    cmp out/a.txt want/a.txt && cmp out/c.raw want/c.raw || bad 'the others differ'
    [ "$(cd out && echo *)" = 'a.raw a.txt c.raw c.txt' ] || bad 'not the outputs of a and c'
    # After a broken promise nothing goes on, but the end is clean.
    go promise:b $workers
    [ $status = 3 ] || bad "status $status of the run, not 3"
    grep -q '^tracepipe: internal error: .*please report it' err || bad 'no message'
    [ ! -e out/run.json ] || bad 'a manifest of half a run'
    for file in $(ls -A out); do
        cmp "out/$file" "want/$file" || bad "$file is not whole"
    done
done

# SIGABRT from elsewhere is none of this.
mkfifo in
exec 4<>in
"$program" --sink text -o out/x in 2>err &
pid=$!
sleep 0.1
status=0
{ kill -ABRT $pid; wait $pid; } 2>/dev/null || status=$?
[ $status = 134 ] || bad "status $status of a program that was told to abort, not 134"
echo 'checks fail cleanly'
