# Stacks, strings and the speed of the clock come last: what is cut has no times at all.
head -c 5000 "$DATA/v1/go111-gc.trace" >cut.trace
tracepipe --sink events cut.trace || echo $?
tracepipe --strict --sink events cut.trace || echo $?
tracepipe --frequency 31250000 --sink events cut.trace >got || echo $?
grep -c '^M=' got || true
# An event in the middle that is none: what leads up to it is ordered, and what follows as far
# as it fits; strictly there is nothing.
{ head -c 2000 "$DATA/v1/go111-gc.trace" && printf '\77' && tail -c +2001 "$DATA/v1/go111-gc.trace"; } \
    >hole.trace
tracepipe --sink events hole.trace >got || echo $?
grep -c '^M=' got || true
tracepipe --strict --sink events hole.trace || echo $?
# Nothing but a header.
head -c 16 "$DATA/v1/go121-cpu.trace" >header.trace
tracepipe --sink events header.trace || echo $?
# The same of the time before Go 1.5.
printf 'gotrace\0' >oldest.trace
tracepipe --sink events oldest.trace || echo $?
tracepipe --sink text oldest.trace || echo $?
