#include "stats/history/latency.h"

#include "base/wide.h"

static void join(struct tp_latency_bucket *into, const struct tp_latency_bucket *from, uint64_t behind_ns)
{
    (void)behind_ns; // counts have no time
    for (unsigned i = 0; i < TP_LATENCY_ROWS; i++)
        into->counts[i] = tp_add_limited(into->counts[i], from->counts[i]);
}

#define BUCKETS struct tp_latency
#define BUCKET struct tp_latency_bucket
#include "stats/figures/buckets.def"

bool tp_latency_reach(struct tp_latency *l, int64_t time_ns)
{
    return reach(l, time_ns);
}

bool tp_latency_add(struct tp_latency *l, int64_t time_ns, uint64_t ns)
{
    unsigned bits = ns == 0 ? 0 : 64 - (unsigned)__builtin_clzll(ns);
    unsigned row = bits < TP_LATENCY_FIRST_BITS ? 0 : bits - TP_LATENCY_FIRST_BITS;
    if (!reach(l, time_ns))
        return false;
    bucket_at(l, time_ns)->counts[row < TP_LATENCY_ROWS ? row : TP_LATENCY_ROWS - 1]++;
    return true;
}

bool tp_latency_lay(struct tp_latency *into, const struct tp_latency *from, int64_t first_ns,
                    int64_t last_ns, int64_t offset_ns)
{
    while (into->shift < from->shift)
        join_pairs(into);
    for (uint32_t i = 0; i < from->buckets.count; i++) {
        int64_t ns = (int64_t)((uint64_t)(from->first + i) << from->shift);
        ns = ns < first_ns ? first_ns : ns > last_ns ? last_ns : ns;
        if (!reach(into, ns + offset_ns))
            return false;
        join(bucket_at(into, ns + offset_ns), &from->buckets.items[i], 0);
    }
    return true;
}

bool tp_latency_merge(struct tp_latency *into, const struct tp_latency *from)
{
    return tp_latency_lay(into, from, INT64_MIN, INT64_MAX, 0);
}
