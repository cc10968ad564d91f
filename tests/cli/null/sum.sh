# A sum over all there is in ordered events, the same with any way of ordering.
sum() {
    tracepipe --sink null:until=order,sum=yes "$@" "$DATA/go126-alloc-gens.trace" | tail -n 1
}
sum -j1 --speculate never
sum -j2 --speculate always
TRACEPIPE_TEST_REFUTE=2 sum -j2 --speculate always
sum -j4 --runs decoded
