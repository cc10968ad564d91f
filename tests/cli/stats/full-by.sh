# One kind of thing, and what matches.
cd "$DATA"
tracepipe --sink stats:level=full,by=trace go126-user.trace go126-few-ps.trace hand.trace
for by in function task region stack; do
    echo "== $by"
    tracepipe --sink stats:level=full,top=2,by=$by go126-user.trace
done
for options in by=waker by=waker,top=1,sort=max by=waker,top=0,filter=main.,idle=yes \
    by=waker,format=folded by=waker,format=csv; do
    echo "== $options"
    tracepipe --sink stats:$options go126-held-lock.trace
done
tracepipe --sink stats:by=task,top=3,sort=max go124-user.trace go126-user.trace go127-user.trace | sed -n "1,4p;/by trace/,\$p"
tracepipe --sink stats:by=goroutine,top=3 go126-user.trace go126-few-ps.trace
tracepipe --sink stats:by=goroutine,keep=3 go126-few-ps.trace go126-user.trace
tracepipe --sink stats:by=goroutine,keep=2,format=csv go126-user.trace go126-few-ps.trace
tracepipe --sink stats:by=goroutine,filter=runtime,format=json go126-few-ps.trace
tracepipe --sink stats:format=state,keep=2 -o "$OLDPWD/two" go126-user.trace
tracepipe --sink stats:by=goroutine go126-few-ps.trace "$OLDPWD/two"
for form in json csv; do
    tracepipe --sink stats:level=full,format=$form,by=task go126-user.trace go126-few-ps.trace
done
echo "== samples"
tracepipe --sink stats:by=function,filter=main,top=5 go125-cpu.trace
tracepipe --sink stats:by=function,filter=spin,format=csv go125-cpu.trace
echo "== filters"
tracepipe --sink stats:level=full,filter=appendTo,top=3 go126-slow-syscalls.trace go126-few-ps.trace
tracepipe --sink stats:level=full,filter=select,by=function go125-http.trace
tracepipe --sink stats:level=full,filter=few,by=trace,format=csv go126-slow-syscalls.trace go126-few-ps.trace
tracepipe --sink stats:level=full,filter=nothing-like-it go126-few-ps.trace
tracepipe --sink stats:by=goroutine,filter=nothing-like-it go126-few-ps.trace
for options in level=counts,by=trace by=function,level=counts filter=x,level=summary level=full,by=day \
    level=full,format=state,by=task level=full,format=state,filter=x \
    keep=0 level=counts,keep=5; do
    tracepipe --sink stats:$options hand.trace || echo $options: $?
done
echo '= nothing of the kind'
for by in function goroutine task region stack waker; do
    tracepipe --sink stats:by=$by hand.trace --from 1h 2>/dev/null
done
tracepipe --sink stats:by=task go122-chan.trace
echo '= who is to blame first'
tracepipe --sink stats:by=waker,sort=blamed,top=3 "$DATA/../../findings/data"/00[0-6]*.zst
for options in sort=blamed by=task,sort=blamed; do
    tracepipe --sink stats:$options "$DATA/go126-user.trace" || echo "status $?"
done
