# A window of a trace from before Go 1.22 is cut out of its order: windows that follow each
# other have each event once, an event at the very end of one begins the next, and what is
# left out is told.
trace=$DATA/v1/go111-gc.trace
tracepipe --sink events "$trace" >whole
events() { # FLAG...
    [ "$1" = --sink ] || set -- --sink events "$@"
    tracepipe -v "$@" "$trace" 2>words
    { echo "${@:3}" && sed -n 's/.*window: /window: /p' words; } >>told
}
# The time of an event, counted from the first.
at=$(sed -n 's/.*Time=\([0-9]*\).*/\1/p' whole | sed -n '700p')ns
{
    events --to 3ms
    events --from 3ms --to "$at"
    events --from "$at" --to 20ms
    events --from 20ms
} | cmp - whole
events --from "$at" --to "$((${at%ns} + 1))ns" | grep -c "Time=${at%ns} "
events --from "$at" --to "$at"
events --from 0 | cmp - whole
events --to 0
events --from 1h
events --from 20ms >some
events --from 20ms --exact | cmp - some
# Events as the parser of that time gave them are counted, too.
tracepipe --sink events:model=v1 "$trace" >whole-v1
{
    events --sink events:model=v1 --to 3ms
    events --sink events:model=v1 --from 3ms --to "$at"
    events --sink events:model=v1 --from "$at"
} | cmp - whole-v1
cat told
