# A generation that does not fit into the memory allowed is read in pieces: from its file
# again, or where that cannot be done from a temporary one. Not a byte is different, and
# nothing is left.
"$SYNTH" --seed 64 --version 26 --generations 1 --gen-events 0 --gen-bytes 12000000 --threads 64 \
    --procs 64 --goroutines 200 --stack-depth 1 --stacks 20 --strings 20 >a.trace
tracepipe -q --sink events --max-memory 1G a.trace | cksum >want
mkdir tmp
for how in '--reread never a.trace' '-'; do
    TMPDIR=$PWD/tmp tracepipe -q --sink events --max-memory 16M $how <a.trace | cksum | cmp - want
done
ls -A tmp
TMPDIR=missing tracepipe -q --sink events --max-memory 16M a.trace | cksum | cmp - want
TMPDIR=missing tracepipe -q --sink events -o none --max-memory 16M --reread never a.trace || echo $?
TMPDIR=missing tracepipe -q --sink events -o none --max-memory 16M - <a.trace || echo $?
[ ! -e none ] || echo 'an output is left'
