# A sum over all there is in ordered events, the same with any way of ordering.
for way in '-j1 --speculate never' '-j2 --speculate always' \
    '-j2 --speculate always --fail-proofs 2' '-j4 --runs decoded'; do
    tracepipe --sink null:until=order,sum=yes $way "$DATA/go126-alloc-gens.trace" | tail -n 1
done
