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
# Wrong options, and no trace at all.
tracepipe --sink pprof:kind=mutex go122-chan.trace || echo $?
tracepipe --sink pprof:top=3 go122-chan.trace || echo $?
: >empty.trace
tracepipe --sink pprof -o none.pb.gz empty.trace || echo $?
ls
