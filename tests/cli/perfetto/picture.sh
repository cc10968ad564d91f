# Digests of the pictures of every bundled trace; tests/cli/perfetto.py reads what is in them.
cp "$DATA"/*.trace "$DATA"/v1/*.trace .
for name in *.trace; do
    for options in tracks=all tracks=ps args=no,callstacks=yes; do
        tracepipe -q --sink perfetto:$options "$name" | sha256sum | sed "s/-$/$name $options/"
    done
done
# An output for each trace.
tracepipe -q --sink perfetto -o pictures go126-user.trace go122-chan.trace
ls pictures
# Filters, a time window, a trace with damage, and one that is cut off.
for options in goroutine=1 task=2 function=runUser goroutine=1,task=1,tracks=goroutines; do
    tracepipe -q --sink perfetto:$options go126-user.trace | sha256sum | sed "s/-$/$options/"
done
tracepipe -q --sink perfetto --from 11ms --to 12ms go126-gens.trace | sha256sum
"$SYNTH" --seed 30 --generations 6 --overwrite-at 60000 --overwrite-len 9000 >damaged.trace
tracepipe -q --sink perfetto damaged.trace >damaged.pftrace || echo "damaged: $?"
head -c 20000 go126-many.trace >cut.trace
tracepipe -q --sink perfetto cut.trace >cut.pftrace || echo "cut: $?"
sha256sum damaged.pftrace cut.pftrace
# Many goroutines with long names: what does not fit into the worker's buffer is made by commit.
"$SYNTH" --seed 3 --generations 2 --goroutines 3000 >many.trace
tracepipe -q --sink perfetto many.trace | sha256sum
# Wrong options, no trace, a state.
for options in tracks=ms goroutine=x task=0 args=maybe depth=3; do
    tracepipe --sink perfetto:$options go126-user.trace >/dev/null || echo "$options: $?"
done
: >empty.trace
tracepipe --sink perfetto -o none.pftrace empty.trace || echo "empty: $?"
tracepipe -q --sink stats:format=state -o a.state go126-user.trace
tracepipe --sink perfetto -o none.pftrace a.state || echo "state: $?"
ls none.pftrace || echo "none"
