# One run has events of one kind.
in=$DATA/v1/go111-gc.trace
tracepipe --sink events:model=v0 "$in" || echo $?
tracepipe --sink events:model=v1 -o v1 --sink events -o v2 "$in" || echo $?
tracepipe --sink events:model=v1 -o v1 --sink null:until=order "$in" || echo $?
# Sinks of other things do not matter.
tracepipe --sink events:model=v1 -o v1.events --sink footprint -o sizes "$in"
wc -l <v1.events
head -n 2 sizes
