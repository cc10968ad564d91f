# Texts that a spreadsheet would take for formulas get an apostrophe in front: names of files,
# functions, tasks, regions and log messages. Numbers are as they were.
trace=$DATA/go126-user.trace
for name in =a.trace +b.trace @c.trace -d.trace $'\te.trace' $'\rf.trace' "=g\"h,.trace" i=j.trace \
    ＝k.trace ＋l.trace －m.trace ＠n.trace; do
    cp "$trace" "./$name"
    tracepipe --sink stats:level=counts,format=csv -- "$name" | sed -n 2p | od -An -c | head -1
done
tracepipe --sink stats:level=counts,format=csv,guard=no -- '=g"h,.trace' | sed -n 2p
tracepipe --sink stats:level=counts,format=csv,guard=no -- -d.trace | sed -n 2p
tracepipe --sink stats:format=csv,by=trace -- =a.trace -d.trace | grep -a ',events,'
tracepipe --sink stats:format=csv,by=goroutine,keep=1 -- @c.trace | grep -a running

sed -e 's/data="main\.main/data="=ain.main/' -e 's/data="main\.work/data="@ain.work/' \
    -e 's/data="request/data="-equest/' -e 's/data="région/data="+égion/' \
    -e 's/data="key/data="=ey/' "$DATA/hand.txt" >odd.txt
tracepipe --sink stats:format=csv odd.txt >guarded
tracepipe --sink stats:format=csv,guard=no odd.txt >plain
grep -a "'" guarded
# Nothing else is different.
sed "s/'\([=+@-]\)/\1/" guarded | cmp - plain
tracepipe --sink stats:format=json,guard=no odd.txt || echo $?
