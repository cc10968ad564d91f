# A check of each kind of name; count and total include what an end of the trace cuts.
shop=$DATA/../planted/shop.trace.zst
tracepipe -o /dev/null \
    --check 'runnable.count > 0' --check 'running.total >= 10ms' --check 'syscall.share < 1%' \
    --check 'blocked.p50 < 10ms' --check 'blocked.total < 30s' \
    --check 'function(main.main).blocked.max < 1s' --check 'function(main.main).running.mean < 1ms' \
    --check 'function(net/http.(*conn).serve).running.p90 < 1ms' \
    --check 'function(net/http.(*conn).serve).blocked.share > 90%' \
    --check 'task(checkout).count == 200' --check 'task(checkout).share == 100%' \
    --check 'task("checkout").p99.9 < 100 ms' --check 'region(charge).p99 < 100000us' \
    --check 'region(reserve).share < 50%' --check 'gc.share < 10%' \
    --check 'findings.slow_task <= 1' --check 'findings.leak == 0' "$shop"
# A function that a start function only wraps: its goroutines, one duration each.
tracepipe -o /dev/null --check 'function(main.page).blocked.count == 1' --check 'function(main.page).running.share < 1%' \
    --check 'function(main.page).blocked.p50 < 1s or none' "$DATA/../planted/page.trace.zst" || echo "exit $?"
# Names with brackets, quotes and blanks, and the empty one.
tracepipe -o /dev/null --check 'region(inner ).count == 3' --check 'task(part 6).count==1' \
    --check 'region("inner quote \" back \\ slash").count == 3' --check 'task("") . count < 1' \
    "$DATA/go126-user.trace" && exit 1 || [ $? = 2 ]
tracepipe -o /dev/null --check 'region(inner ).count == 3' --check 'task(part 6).count==1' \
    --check 'region("inner quote \" back \\ slash").count == 3' --check 'task("").count < 1 or none' \
    "$DATA/go126-user.trace"
