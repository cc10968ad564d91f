# More stacks than are kept one by one: the others are there by function, and no time is lost. It
# is all the same if the traces were summed apart.
"$SYNTH" --seed 1 --generations 1 --gen-events 80000 --strings 100 --stacks 200000 --functions 60 \
    --samples 400 >a.trace
"$SYNTH" --seed 2 --generations 1 --gen-events 80000 --strings 100 --stacks 200000 --functions 60 \
    --samples 400 >b.trace
full() {
    tracepipe -q --sink "stats:level=full,$1" "${@:2}"
}
full by=stack a.trace b.trace | sed -n '/other stacks/,$p'
full by=stack,format=csv a.trace b.trace >all.csv
grep -c ^stack, all.csv
awk '/coarse|other_stack/ && n++ < 10' all.csv
# As many as there were, and as long: of each type.
awk -F, '/^(coarse_)?stack,/ { count[$3] += $5; ns[$3] += $6 }
    END { for (type in count) printf "%s %.0f %.0f\n", type, count[type], ns[type] }' all.csv | sort
full by=stack,format=folded a.trace b.trace | awk '/;.folded.;/ && n++ < 3'
full by=stack,format=json a.trace b.trace | awk '/other_stack_count/ { n = 1 } n > 0 && n++ < 5'

full format=state a.trace >a.state
full format=state b.trace >b.state
full format=state a.trace b.trace >both.state
full format=state b.state a.state | cmp - both.state
full format=state a.trace b.state | cmp - both.state
full format=csv a.trace b.trace >direct
full format=csv both.state | cmp - direct
