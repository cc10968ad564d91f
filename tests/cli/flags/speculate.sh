# A generation before its turn: where it is right, where it counts as wrong, and not at all.
ahead() {
    tracepipe -v --sink null:until=order -j1 --speculate "$1" \
        "$DATA/go126-alloc-gens.trace" 2>&1 >/dev/null | sed -n 's/.*: \(generations ordered spec.*\)/\1/p'
}
ahead always
TRACEPIPE_TEST_REFUTE=1 ahead always
ahead never
# Events themselves are written as they come, in order.
tracepipe -v --sink events -j1 --speculate always "$DATA/go126-alloc-gens.trace" \
    2>&1 >/dev/null | sed -n 's/.*: \(generations ordered spec.*\)/\1/p'
