# What can be ordered of a damaged trace becomes a sound one.
cp "$DATA/v1/go111-gc.trace" a.trace
{ head -c 2000 a.trace && printf '\77' && tail -c +2001 a.trace; } >hole.trace
tracepipe --sink raw:version=1.26 hole.trace >new.trace || echo $?
tracepipe --strict --sink events new.trace >got
grep -c '^M=' got
# Strictly there is nothing of it.
tracepipe --strict --sink raw:version=1.26 hole.trace >new.trace || echo $?
wc -c <new.trace
# Nothing but a header is a trace without events.
head -c 16 a.trace >header.trace
tracepipe --sink raw:version=1.26 header.trace >new.trace || echo $?
wc -c <new.trace
# A window: what is met in the middle is told of first.
tracepipe --sink raw:version=1.26 --from 100us --to 130us a.trace >new.trace
tracepipe --strict --sink events new.trace | grep '^M='
