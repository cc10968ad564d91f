# A report of one kind computes only its own part of the statistics. A state has all parts, so
# the same report of the state shows the same.
for name in go122-gc go125-cpu go126-user go126-many v1/go111-gc; do
    tracepipe --sink stats:format=state -f -o all.tpstats "$DATA/$name.trace"
    for what in by=all by=trace by=function by=goroutine by=task by=region by=stack format=folded \
        by=stack,format=folded format=flamegraph by=task,format=json by=stack,format=csv by=waker by=waker,format=folded; do
        tracepipe --sink stats:top=0,$what "$DATA/$name.trace" >direct
        tracepipe --sink stats:top=0,$what all.tpstats | cmp - direct || echo "$name $what"
    done
done
