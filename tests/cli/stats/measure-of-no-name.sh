# Traces by a measure of a task, region or function that none of them has, or too few of it.
cp "$DATA/../planted/shop.trace.zst" .
for measure in task_p50:checkout task_p50:nosuch region_p99:nosuch 'wait:main.nosuch' task_p99:checkout; do
    tracepipe --sink "stats:by=trace,measure=$measure" shop.trace.zst | tail -n 2
done
