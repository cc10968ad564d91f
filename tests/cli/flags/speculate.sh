# A generation before its turn: where it is right, where no proof may hold, and not at all.
for way in 'always' 'always --fail-proofs 1' 'never'; do
    tracepipe -v --sink null:until=order -j1 --speculate $way \
        "$DATA/go126-alloc-gens.trace" 2>&1 >/dev/null | sed -n 's/.*: of/of/p'
done
# Events themselves are written as they come, in order.
tracepipe -v --sink events -j1 --speculate always "$DATA/go126-alloc-gens.trace" \
    2>&1 >/dev/null | sed -n 's/.*: of/of/p'
