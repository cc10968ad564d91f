# Events of one goroutine: those that it runs, and those by which others change its state.
cp "$DATA/go126-held-lock.trace" "$DATA/v1/go111-gc.trace" .
tracepipe --sink events:goroutine=38,format=line,time=relative go126-held-lock.trace >of38
sed -n 1,12p of38
tracepipe --sink events:goroutine=38 --from 82.0427ms --to 82.05ms go126-held-lock.trace
# Of old traces in both models; none where there is none.
tracepipe --sink events:goroutine=20 go111-gc.trace | grep ^M= | sed -n 1,5p
tracepipe --sink events:goroutine=20,model=v1 go111-gc.trace | sed -n 1,5p
tracepipe --sink events:goroutine=9999 go126-held-lock.trace
# Filters must agree on one goroutine: 1 creates goroutines of this function, but is none.
tracepipe --sink events:function=each.func go126-held-lock.trace | grep -c ' G=1 '
tracepipe --sink events:goroutine=1,function=each.func go126-held-lock.trace
tracepipe --sink events:goroutine=38,function=each.func,format=line,time=relative go126-held-lock.trace | cmp - of38
