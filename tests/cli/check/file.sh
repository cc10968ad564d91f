# --checks: one a line, without empty lines and comments; a fault is reported with its line. A file without a
# check, or that cannot be read, is a usage error, as are options about results without a check.
shop=$DATA/../planted/shop.trace.zst
printf '# of the shop\n\n  task(checkout).p99 < 20ms\r\ntask(checkout).p50 < 1ms\n\t# no more\nrunning.count > 1' >list
tracepipe -o /dev/null --checks list --check 'region(charge).count == 200' "$shop" || echo "exit $?"
printf 'task(checkout).p99 < 20ms\ntask(checkout).p99 < 20\n' >wrong
tracepipe --checks wrong "$shop" || echo "exit $?"
printf 'task(a\0b).p99 < 20ms\n' >wrong
tracepipe --checks wrong "$shop" || echo "exit $?"
head -c 5000 /dev/zero | tr '\0' x >wrong
tracepipe --checks wrong "$shop" || echo "exit $?"
tracepipe --check "$(cat wrong)" "$shop" || echo "exit $?"
tracepipe --checks absent "$shop" || echo "exit $?"
printf '# none\n\n' >wrong
tracepipe --checks wrong --check 'gc.share < 50%' absent || echo "exit $?"
tracepipe --checks . "$shop" || echo "exit $?"
tracepipe --check-format=github "$shop" || echo "exit $?"
