# A generation with more batches than any bound of memory permits: refused, with the limit.
{
    printf 'go 1.22 trace\0\0\0'
    printf '\001\001\007\144\000%.0s' $(seq 300000)
} >many.trace
for memory in 64M 1G; do
    tracepipe --max-memory $memory --manifest run.json -f --sink stats many.trace || echo "status $?"
    grep -o '"status": *"[a-z_]*"' run.json
done
