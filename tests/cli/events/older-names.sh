# Stacks and strings of older traces come last. Where they are cut off, but not what tells how
# the clock runs, all events are there and some name what is not: they are counted, and with
# --strict the events end where Go's converter does.
text() { tracepipe --sink text "$DATA/v1/$1.trace"; }
encode() { tracepipe -f --sink raw -o "$1.trace" -; }
# without FIRST LAST NAME: the entries of a table from one id to another are left out.
without() {
    awk -v kind="$1" -v first="$2" -v last="$3" '
        !/^\t/ { split($2, id, "="); drops = $1 == kind && id[2] >= first && id[2] <= last }
        !drops'
}
show() { # NAME
    tracepipe --sink events "$1.trace" >"$1.all" || echo $?
    grep -c '^M=' "$1.all"
    tracepipe --strict --sink events "$1.trace" >"$1.some" || echo $?
    grep -c '^M=' "$1.some" || true
    cmp <(head -n "$(wc -l <"$1.some")" "$1.all") "$1.some"
}
text go111-gc | without Stack 4 999 | encode stacks
show stacks
text go111-gc | without String 20 20 | encode string
show string
tracepipe --sink events string.trace 2>&1 | grep -c '^	string#20 @' || true
text go121-cpu | without Stack 8 8 | encode other
show other
# A stack of an event is none to Go if it is not there.
text go121-cpu | without Stack 29 29 | encode none
show none
# Whoever looks at ordered events is told, and the status is that of damaged input.
for sink in null:until=order stats:level=summary stats events:model=v1; do
    tracepipe --sink $sink stacks.trace >out || echo $?
done
tracepipe --strict --sink events:model=v1 stacks.trace | cmp - <(tracepipe --sink events:model=v1 stacks.trace)
tracepipe --manifest list --sink events -o out.trace stacks.trace || grep -o '"status": "[a-z]*"' list
# Those before a window count, too. Who does not look at them has all there is.
tracepipe --from 10ms --to 10001us --sink events stacks.trace >out || echo $?
tracepipe --sink footprint stacks.trace >out
