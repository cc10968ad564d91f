#!/bin/bash
# What code that a trace has brought into the program can do once the sandbox is on, and that the
# sandbox is on, off, or refused as --sandbox says.
#
#   sandbox.sh PROBING_PROGRAM PROGRAM SYNTH REFUSING     exit 77: this kernel has no sandbox
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
probing=$1 program=$2 synth=$3 refusing=$4
work=$(mktemp -d)
listener=
trap '[ -z "$listener" ] || kill $listener; rm -rf "$work"' EXIT
cd "$work"

bad() {
    echo "FAILED: $*"
    cat err
    ls -lAR
    exit 1
}

mkdir outside in
"$synth" --generations 2 --gen-events 20000 --seed 1 >in/a
echo secret >outside/secret
cp -a in kept
"$program" --sandbox=off --sink text -o want in/a

if ! "$program" --sandbox=require in/a >report 2>err; then
    grep -q -- '^tracepipe: --sandbox=require: no .*(--sandbox=off does without)' err ||
        bad 'no sandbox, and no message'
    cat err
    exit 77
fi

# A name that is listened at, so that nothing but the sandbox keeps a client away.
python3 -c '
import signal, socket
s = socket.socket(socket.AF_UNIX)
s.bind("listener")
s.listen()
signal.pause()' &
listener=$!
for _ in $(seq 500); do
    [ -S listener ] && break
    sleep 0.01
done

export TP_PROBE_OUTSIDE=$work/outside TP_PROBE_INPUT=$work/in/a
# Outputs and temporary files have folders of their own, none of them above the others.
export TMPDIR=$work/tmp
mkdir tmp out
probe() { # WORD...
    status=0
    "$probing" -j2 -f --sink text -o out/text "$@" in/a 2>err </dev/null || status=$?
}

# Without the sandbox they succeed, also that to remove the input: the tries are true ones.
probe --io pread --sandbox=off
for what in 'read outside' 'list outside' 'create outside' 'rename outside' 'write to an input' \
    'remove an input' 'connect to a Unix socket' 'make a ring'; do
    grep -qxF "probe: worker: $what: DONE" err || bad "the try to $what is none"
done
rm -rf in outside
cp -a kept in
mkdir outside
echo secret >outside/secret

export TP_PROBE_EXECUTE=yes
probe --io auto --sandbox=require
[ $status = 0 ] || bad "status $status"
cmp want out/text || bad "another output"
grep '^probe: worker: ' err >worker || bad 'no tries on a worker'
grep '^probe: ring: ' err >ring || : >ring
[ "$(wc -l <worker)" -ge 16 ] || bad 'few tries on a worker'
grep -q ': DONE$' worker ring && bad 'something is allowed'
cmp in/a kept/a && [ "$(stat -c %a in/a)" = "$(stat -c %a kept/a)" ] || bad 'the input has changed'
[ "$(ls outside)" = secret ] || bad 'something outside has changed'
refused() { # THREAD WHAT ERRNO
    grep -qxF "probe: $1: $2: $3" err || bad "$1: $2: not refused as it should be"
}
for what in 'read outside' 'list outside' 'create outside' 'create a folder outside' \
    'rename outside' 'write to an input' 'remove an input'; do
    refused worker "$what" 'Permission denied'
done
for what in 'make a TCP socket' 'make a Unix socket' 'connect by TCP' 'connect to a Unix socket' \
    execute "read the parent's memory" 'signal the parent' 'make a ring'; do
    refused worker "$what" 'Operation not permitted'
done
refused worker 'change the mode of an input' 'Function not implemented'
if [ -s ring ]; then
    [ "$(wc -l <ring)" = 9 ] || bad 'tries through the ring are missing'
    while IFS= read -r line; do
        [[ $line == *': Permission denied' ]] || bad "$line"
    done <ring
elif "$program" -v --io uring --sandbox=off in/a >report 2>&1; then
    bad 'no tries through the ring'
fi
cat err

# Batches that do not fit into memory go to the temporary folder.
"$synth" --generations 1 --gen-events 3000000 --seed 1 >large
spill() { # FOLDER
    TMPDIR=$1 "$program" -q -j1 --io pread --reread never --max-memory 16M --sandbox=require \
        --sink null:until=order large >got 2>err
}
spill tmp || bad 'nothing can be spilled'
spill missing && bad 'nothing was spilled'
rm large

# What is said of it.
"$program" -v --sandbox=require in/a 2>err >report
grep -q '^tracepipe: sandbox: landlock [0-9]*, seccomp$' err || bad 'no message'
"$program" -v in/a 2>err >report
grep -q '^tracepipe: sandbox: landlock [0-9]*, seccomp$' err || bad 'not by default'
"$program" -v --sandbox=off in/a 2>err >report
grep -q '^tracepipe: sandbox: off$' err || bad 'not off'

# Kernels that lack a part, or refuse it. Numbers of system calls since 2019 are the same everywhere.
landlock_create_ruleset=444 landlock_add_rule=445 landlock_restrict_self=446
ENOSYS=38 EPERM=1 ENOMEM=12
case $(uname -m) in
x86_64) seccomp=317 pipe2=293 socketpair=53 ;;
aarch64) seccomp=277 pipe2=59 socketpair=199 ;;
*) seccomp=0 ;;
esac
without() { # STATUS CALL ERRNO WORDS [WORD...]
    local want=$1 call=$2 sys_errno=$3 words=$4
    shift 4
    status=0
    "$refusing" "$call" "$sys_errno" "$program" -v "$@" in/a 2>err >got || status=$?
    [ $status = "$want" ] || bad "status $status, not $want, without call $call"
    grep -q -- "^tracepipe: $words" err || bad "no '$words'"
    [ "$want" != 0 ] || cmp report got || bad "another report without call $call"
}
for sys_errno in $ENOSYS $EPERM; do
    without 0 $landlock_create_ruleset $sys_errno 'sandbox: no landlock: .*, seccomp$'
    without 3 $landlock_create_ruleset $sys_errno '--sandbox=require: no landlock: .*=off does without)$' \
        --sandbox=require
done
without 3 $landlock_add_rule $ENOMEM 'landlock_add_rule: Cannot allocate memory$'
without 3 $landlock_restrict_self $EPERM 'landlock_restrict_self: Operation not permitted$'
if [ $seccomp != 0 ]; then
    without 0 $seccomp $EPERM 'sandbox: landlock [0-9]*, no seccomp: Operation not supported$'
    without 3 $seccomp $EPERM '--sandbox=require: no seccomp: Operation not supported (' --sandbox=require
    # The process that becomes the pager cannot be prepared: the report goes to standard output.
    for call in $pipe2 $socketpair; do
        TERM=xterm PAGER='sed s/^/PAGED/' python3 "$here/../cli/on-terminal.py" 80x24 "$refusing" "$call" $EPERM \
            "$program" -q --all --color never --screen 100x1000 in/a 2>err >got || bad 'no report'
        grep -q PAGED got && bad 'a pager that cannot be'
        [ "$(wc -l <got)" -gt 100 ] || bad 'not the whole report'
    done
fi
echo 'everything forbidden is refused'
