# What comes first, and no more than wanted; what has no effect or shows nothing is refused.
cd "$DATA"
for sort in total count mean max p99; do
    tracepipe --sink stats:level=full,top=1,sort=$sort go126-user.trace |
        grep -A1 '^running'
done
for options in level=full,top=-1 level=counts,top=3 level=counts,sort=max level=summary,top=0 \
    by=trace,sort=p99 by=goroutine,sort=max sort=total,by=stack,format=json format=folded,sort=p99 \
    format=json,top=3 by=stack,format=folded,top=1 by=trace,format=folded by=task,format=flamegraph; do
    tracepipe --sink stats:$options go126-user.trace || echo $options: $?
done
