# Two outputs that lead to one file are refused, whatever their paths are: one of them would be
# lost.
cp "$DATA/go122-chan.trace" a.trace
cp a.trace b.trace
mkdir real
ln -s real soft
refused() {
    "$@" && exit 1
    [ $? = 2 ]
} 2>&1
refused tracepipe --sink text -o real/x --sink raw -o soft/x a.trace
refused tracepipe --sink text -o real/x --sink raw -o real/../soft/x a.trace
refused tracepipe --sink text -o soft/new/x --sink raw -o real/new/./x a.trace
refused tracepipe --sink text -o new/x --sink raw -o other/../new/x a.trace
refused tracepipe --sink stats -o real/a.trace.txt --sink text -o soft/ a.trace b.trace
refused tracepipe --sink text -o real/x --manifest soft/x a.trace
# Standard output is the file that another one would replace.
tracepipe -f --sink text --sink raw -o out a.trace >out || echo $?
tracepipe -f --sink text --sink raw -o soft/out a.trace >real/out || echo $?
ln out hard
tracepipe -f --sink text --sink raw -o hard a.trace >out || echo $?
tracepipe -f --sink text --sink raw -o /dev/stdout a.trace >>out || echo $?
# Lists of names and the program are read as inputs are.
echo a.trace >list
refused tracepipe -f --sink stats -o list --files-from list
refused tracepipe -f --sink stats -o list --files-from - <list
"${SYNTH%/*}/go-program" >program
refused tracepipe -f --binary program --sink text -o program a.trace
ls -A . real
# Distinct ones go, and so do several on a device.
ln -sf out link
tracepipe -f --sink text -o link --sink raw -o out a.trace
tracepipe --sink text -o /dev/null --sink raw -o /dev/null a.trace
tracepipe --sink text -o real/text --sink raw -o soft/raw a.trace
cmp real/raw a.trace
cmp link real/text
cmp out a.trace
