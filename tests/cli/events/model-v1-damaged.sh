# What the parser refuses is shown up to there; strictly there is nothing.
head -c 5000 "$DATA/v1/go111-gc.trace" >cut.trace
tracepipe --sink events:model=v1 cut.trace || echo $?
tracepipe --strict --sink events:model=v1 cut.trace || echo $?
{ head -c 2000 "$DATA/v1/go111-gc.trace" && printf '\77' && tail -c +2001 "$DATA/v1/go111-gc.trace"; } \
    >hole.trace
tracepipe --sink events:model=v1 hole.trace >got || echo $?
wc -l <got
tracepipe --strict --sink events:model=v1 hole.trace || echo $?
tracepipe --salvage generation --sink events:model=v1 hole.trace || echo $?
# A batch, and no event; and not even that.
printf 'go 1.11 trace\0\0\0\101\060\231\325\371\221\060\002\060' >batch.trace
tracepipe --sink events:model=v1 batch.trace || echo $?
tracepipe --strict --sink events:model=v1 batch.trace || echo $?
head -c 16 "$DATA/v1/go121-cpu.trace" >header.trace
tracepipe --sink events:model=v1 header.trace || echo $?
