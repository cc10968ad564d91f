# A name that no trace has fails the check, unless "or none" allows it. A state that a function never
# was in is 0.
tracepipe -o /dev/null --check 'task(nothing).p99 < 1s' --check 'region(nothing).count == 0' \
    --check 'function(main.nothing).running.total < 1s' --check 'task(nothing).p99 < 1s or none' \
    --check 'task(checkout).p99 < 1s or none' --check 'task(checkout).p99 < 1ms or none' \
    --check 'function(runtime.forcegchelper).running.p99 < 1s' \
    --check 'function(runtime.forcegchelper).syscall.count == 0' \
    --check 'function(runtime.forcegchelper).blocked.count >= 1' \
    --check 'function(runtime.forcegchelper).blocked.p99 < 1s or none' \
    "$DATA/../planted/shop.trace.zst" || echo "exit $?"
# A trace that is too short is not analysed.
tracepipe -o /dev/null --check 'findings.lock == 0' --check 'findings.lock == 0 or none' \
    "$DATA/go126-user.trace" || echo "exit $?"
# Nor are fewer than ten hosts compared.
tracepipe -o /dev/null --check 'differs == 0' --check 'differs == 0 or none' "$DATA/go126-user.trace" ||
    echo "exit $?"
