# Stacks are the same by function, file and line; by program counter with pc=yes, also in states.
cd "$DATA"
full() { tracepipe -q --sink "stats:$1" "${@:2}"; }
full format=json go126-user.trace | grep -c '"pc"' || echo "no program counters"
full format=state,pc=yes -o "$OLDPWD/pcs" go126-user.trace
full format=json,pc=yes go126-user.trace >"$OLDPWD/pcs.json"
grep -m1 '"type"' "$OLDPWD/pcs.json"
full format=state -o "$OLDPWD/lines" go126-user.trace
cd "$OLDPWD"
# A state with program counters is one without them where nobody asks for them.
full format=state pcs | cmp - lines
for form in text,top=0 csv json folded; do
    full format=$form pcs lines >both
    full format=$form lines pcs | cmp - both
done
full by=stack pcs lines | sed -n 1,8p
full format=state,pc=yes pcs | cmp - pcs
full format=json,pc=yes pcs | cmp - pcs.json
tracepipe --sink stats:pc=yes,by=stack lines pcs || echo $?
for options in pc=yes,level=counts pc=yes,level=summary; do
    tracepipe --sink stats:$options pcs || echo $?
done
