# More batches than are kept in memory: they come back in order, each behind the one before.
check() {
    tracepipe --sink list:batches=yes "$1" |
        awk -v head="$2" '
            NR == 2 { batches = $4 }
            table && $1 < end { print "batch " n " at " $1 " begins before " end }
            table { n++; end = $1 + $2; bytes += $2; owners[$5]++ }
            $1 == "offset" && $5 == head { table = 1 }
            END { print n == batches ? "all " n " batches" : n " of " batches, bytes " bytes" }'
}
"$SYNTH" --seed 3 --generations 3 --batch-bytes 128 --gen-events 30000 >new.trace
check new.trace m
{
    echo 'Trace Go1.11'
    seq 5000 | awk '{ print "Batch p=" $1 % 8 " ticks=" 1000 + 10 * $1 "\nGoCreate dt=2 g=" $1 " new_stack=0 stack=0" }'
    echo 'Frequency freq=1000000000'
} >old.txt
check old.txt p
tracepipe --sink list:batches=yes old.txt | awk '$7 ~ /^-?[0-9]+$/ && $7 != 10 * i++ - 2 { print "wrong: " $0 }'
tracepipe --sink list:batches=yes -o list old.txt
TMPDIR=/nonexistent tracepipe --sink list:batches=yes old.txt || echo $?
