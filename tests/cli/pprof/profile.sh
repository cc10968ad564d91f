# The texts of a profile, in the order of first use. tests/cli/pprof.py reads profiles in full.
texts() { gzip -dc | tr -c '[:print:]' '\n' | grep -E '[a-z]{3}'; }
cp "$DATA/go122-chan.trace" "$DATA/go126-held-lock.trace" .
tracepipe -q --sink pprof:kind=sync -o waits.pb.gz go122-chan.trace
texts <waits.pb.gz | head -n 12
# Of several traces, the same bytes in any order and with any number of workers.
for order in 'go122-chan.trace go126-held-lock.trace' 'go126-held-lock.trace go122-chan.trace'; do
    for jobs in 1 4; do
        tracepipe -q -j $jobs --sink pprof:kind=sched,pc=yes,clocks=all $order | cksum
    done
done | sort -u | wc -l
# Two kinds in one run, which gathers once.
tracepipe -q --sink pprof:kind=running -o running.pb.gz --sink pprof:kind=cpu -o cpu.pb.gz go122-chan.trace
texts <running.pb.gz
texts <cpu.pb.gz
# Labels: the same bytes in any way of reading, and beside other sinks.
cp "$DATA/go126-gens.trace" .
tracepipe -q --sink pprof:kind=running,labels=yes -o labelled.pb.gz go126-gens.trace
texts <labelled.pb.gz
for how in -j1 '-j8 --speculate always' '-j2 --chunk-size 4K' '-j3 --sink stats -o stats'; do
    tracepipe -q -f --sink pprof:labels=yes $how go126-gens.trace go126-held-lock.trace | cksum
done | sort -u | wc -l
# A trace whose clock is in doubt is included or not, in any order.
sed 's/^\(EventBatch gen=2 m=104 time=\)1420/\1140000000000000000/' "$DATA/hand.txt" >late.txt
tracepipe --sink raw -o late.trace late.txt
for order in 'go126-gens.trace late.trace go122-chan.trace' 'late.trace go122-chan.trace go126-gens.trace'; do
    tracepipe -q --sink pprof:kind=sched,labels=yes,clocks=all $order | cksum
    tracepipe -q --sink pprof:kind=sched,labels=yes $order | cksum
done | sort -u | wc -l
tracepipe -q --sink pprof:labels=yes,kind=running,clocks=all late.trace go122-chan.trace | texts | grep -A1 '\.trace'
# A state has no labels.
tracepipe -q --sink stats:format=state -o chan.state go122-chan.trace
tracepipe --sink pprof:labels=yes -o of-state.pb.gz chan.state || echo $?
# Wrong options, and no trace at all.
tracepipe --sink pprof:kind=mutex go122-chan.trace || echo $?
tracepipe --sink pprof:top=3 go122-chan.trace || echo $?
: >empty.trace
tracepipe --sink pprof -o none.pb.gz empty.trace || echo $?
ls
