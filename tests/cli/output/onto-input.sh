# An output that is an input is refused before anything is done, also with -f.
cp "$DATA/go126-user.trace" a.trace
cp "$DATA/go126-user.trace" b.txt
gzip -c b.txt >b.gz
ln a.trace hard
ln -s a.trace soft
mkdir deep
cp a.trace deep/c.trace
before=$(ls -AR)
refused() {
    "$@" && exit 1
    [ $? = 2 ]
} 2>&1
refused tracepipe --sink text -o a.trace a.trace
refused tracepipe -f --sink text -o a.trace a.trace
refused tracepipe -f --sink text -o hard a.trace
refused tracepipe -f --sink text -o soft a.trace
refused tracepipe -f --sink text -o a.trace soft
refused tracepipe -f --sink text -o /dev/null --manifest a.trace a.trace
refused tracepipe -f --sink text -o deep/../a.trace a.trace
refused tracepipe -f --sink text -o . b.gz b.txt
refused tracepipe -f --sink stats -o deep/c.trace -r deep
echo a.trace | refused tracepipe -f --sink stats -o a.trace --files-from -
refused tracepipe -f --sink text -o a.trace <a.trace
tracepipe --sink text a.trace >>a.trace || echo $?
# Nothing was touched, and nothing made.
cmp a.trace "$DATA/go126-user.trace"
cmp b.txt "$DATA/go126-user.trace"
[ "$(ls -AR)" = "$before" ]
# Others are replaced.
echo precious >a.txt
tracepipe -f --sink text -o a.txt a.trace
tracepipe --sink text a.trace | cmp - a.txt
