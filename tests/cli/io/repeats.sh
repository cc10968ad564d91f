# Of messages of one kind those of the first 10 inputs, and how many inputs more; -v has all, and so
# has the manifest.
mkdir in
for n in $(seq 101 120); do
    echo "text $n" >in/$n.txt
    [ $n -gt 112 ] || head -c 5000 "$DATA/go126-user.trace" >in/$n.cut
    [ $n -gt 111 ] || ln -s nowhere in/$n.gone
done
tracepipe --manifest run.json --sink list -o list in/* || echo $?
grep -c '"refused"' run.json
grep -o '"batch_cut"' run.json | wc -l
tracepipe -v --sink list -o list -f in/* 2>all || echo $?
grep -c 'not a Go execution trace' all
grep -c 'warning: .*input ends inside a batch' all
! grep ' more input' all
# Errors only: their number is an error, too.
tracepipe -q --sink list -o list -f in/*.txt in/*.cut || echo $?
# Ten are all of them.
tracepipe --sink list -o list -f in/10*.cut in/110.cut || echo $?
