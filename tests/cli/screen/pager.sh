# A report that is longer than the terminal goes to the pager, a shorter one does not; the exit
# status is that of the run, whatever the user does in the pager.
on=$DATA/../../cli/on-terminal.py
export TERM=xterm
cp "$DATA/go126-gens.trace" a.trace
head -c 9000 a.trace >cut.trace
run() { timeout 60 python3 "$on" "$@" || echo "status $?"; }

echo '= longer, and as long as the terminal'
PAGER="sed s/^/PAGED/" run 100x24 tracepipe --no-progress --all --color never a.trace | sed -n 1,2p
PAGER="sed s/^/PAGED/" run 100x24 tracepipe --no-progress --sink list:format=json a.trace | sed -n 's/^\(.....\).*/\1/;1p'
echo '= without a pager'
PAGER="sed s/^/PAGED/" run 100x24 tracepipe --no-progress --all --no-pager --color never a.trace | sed -n 1p
PAGER= run 100x24 tracepipe --no-progress --all --color never a.trace | sed -n 1p
PAGER=cat run 100x24 tracepipe --no-progress --all --color never a.trace | sed -n 1p
PAGER=no-such-pager run 100x24 tracepipe --no-progress --all --color never a.trace | sed -n 1p
PAGER="sed s/^/PAGED/" TERM=dumb run 100x24 tracepipe --no-progress --all a.trace | sed -n 1p
PAGER="sed s/^/PAGED/" run 100x24 tracepipe --no-progress --all a.trace -o file
echo '= of a shell, and one that ends early'
PAGER='x=2; head -n $x' run 100x24 tracepipe --no-progress --all --color never a.trace
PAGER='head -n 1' run 100x24 tracepipe --no-progress --all --color never a.trace
PAGER='head -n 1' run 100x24 tracepipe --no-progress --all --color never cut.trace
echo '= Ctrl-C is a key of the pager'
cat >pager <<'END'
#!/bin/bash
trap 'signal=INT' INT
signal=
head -n 1
echo "type"
# A terminal that is gone sends no signal.
for ((tries = 0; tries < 1000; tries++)); do [ "$signal" ] && break || sleep 0.05; done
echo "the pager has Ctrl-C"
read -r key </dev/tty
echo "the pager ends by $key"
END
chmod +x pager
PAGER=./pager run 100x24 --key 'type=^C' --key 'Ctrl-C=q^M' tracepipe --no-progress --all --color never a.trace |
    grep -v '^q$' | sed 's/^\^C//'
echo '= Ctrl-C ends a live pipe, and the pager that was not yet there shows what came'
mkfifo live
exec 3<>live
cat cut.trace >&3
PAGER="sed s/^/PAGED/" run 100x24 --key '8.8 KiB=^C' tracepipe --progress --all --color never live |
    grep -a '^PAGED\(1 trace\|  1 trace damaged\)\|^status'
