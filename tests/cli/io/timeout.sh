# An input for which the run waits too long is refused whole; the others are as they are without it.
mkfifo silent slow
sleep 100 >silent &
(head -c 4000 "$DATA"/go126-user.trace; exec sleep 100) >slow &
a=$DATA/go126-user.trace b=$DATA/go125-http.trace
tracepipe --sink text -o text --sink stats -o stats "$a" "$b"
tracepipe --timeout 300ms --manifest manifest --sink text -o late --sink stats -o late-stats "$a" silent "$b" slow || echo $?
grep -o '"status": "[a-z_]*"' manifest
ls late
diff -r text late
grep refused late-stats
tracepipe --timeout 300ms --fail-fast "$a" silent "$b" slow >/dev/null || echo $?
tracepipe --timeout 1h --sink text -o soon "$a" "$b"
diff -r text soon
kill %1 %2
for timeout in 0 -1s soon 12:03 ''; do
    tracepipe --timeout "$timeout" "$a" >/dev/null || echo "'$timeout': $?"
done
