# A check that cannot be read is a usage error before anything is read: the input does not exist.
while IFS= read -r check; do
    tracepipe --check "$check" absent 2>&1 | grep -v '^Try' || true
    tracepipe --check "$check" absent 2>/dev/null && exit 1 || [ $? = 2 ]
done <<'END'

tsk(x).p99 < 1ms
runable.p99 < 1ms
task(x).totl < 1ms
task(x).p98 < 1ms
task(x).running.p99 < 1ms
function(main.main).p99 < 1ms
function(main.main).runing.p99 < 1ms
function.running.p99 < 1ms
task(x.p99 < 1ms
task(f(x).p99 < 1ms
task("x).p99 < 1ms
task("x"y).p99 < 1ms
task().p99 < 1ms
task(x) < 1ms
gc.total < 1%
gc < 1%
findings.lok == 0
findings == 0
running.p99 1ms
running.p99 = 1ms
running.p99 != 1ms
running.p99 <
running.p99 < 1
running.p99 < 1 min
running.p99 < 5%
running.p99 < 1.5.5ms
running.p99 < 1.0000001us
running.p99 < 99999999999999999999s
running.share < 1ms
running.share < 0.00001%
running.count < 1.5
running.count < 1kB
running.p99 < +20%
running.p99 < -5%
running.p99 < +20ms
running.p99 > -1ms
findings.lock > -1
running.p99 < 1ms or
running.p99 < 1ms or none at all
running.p99 < 1ms and more
END
