# Times since the beginning are what --from and --to take; so are dates with a time of day.
cp "$DATA/go126-user.trace" "$DATA/go122-chan.trace" "$DATA/v1/go19-stw.trace" .
for time in trace relative wall wall,tz=Asia/Tokyo; do
    tracepipe --sink events:format=line,goroutine=1,time=$time go126-user.trace | sed -n '2p;$p'
done
from=$(tracepipe --sink events:goroutine=1,time=relative go126-user.trace | sed -n 's/.* TaskBegin Time=\([^ ]*\).*/\1/p')
tracepipe --sink events:goroutine=1,format=line,time=relative --from "$from" go126-user.trace | sed -n 1p
from=$(tracepipe --sink events:goroutine=1,time=wall go126-user.trace | sed -n 's/.* TaskBegin Time=\([^ ]*\).*/\1/p')
tracepipe --sink events:goroutine=1,format=line,time=wall --from "$from" go126-user.trace | sed -n 1p
# Of a trace without time of day there is only the other.
tracepipe --sink events:time=wall go122-chan.trace || echo $?
tracepipe --sink events:time=relative,format=line go122-chan.trace | sed -n 1,2p
tracepipe --sink events:time=relative go19-stw.trace | sed -n 1,2p
