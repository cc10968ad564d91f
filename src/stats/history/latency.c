#include "stats/history/latency.h"

#include <string.h>

#include "base/wide.h"

static void add_counts(struct tp_latency_bucket *into, const struct tp_latency_bucket *from)
{
    for (unsigned i = 0; i < TP_LATENCY_ROWS; i++)
        into->counts[i] = tp_add_limited(into->counts[i], from->counts[i]);
}

// Joins each bucket of even index with the one after it into a bucket of twice the width.
static void join_pairs(struct tp_latency *l)
{
    struct tp_latency_bucket *items = l->buckets.items;
    int64_t first = l->first >> 1;
    uint32_t count = 0;
    for (uint32_t i = 0; i < l->buckets.count; i++) {
        uint32_t to = (uint32_t)(((l->first + (int64_t)i) >> 1) - first);
        const struct tp_latency_bucket b = items[i];
        if (to == count)
            items[count++] = (struct tp_latency_bucket){0};
        add_counts(&items[to], &b);
    }
    l->buckets.count = count;
    l->first = first;
    l->shift++;
}

// Adds empty buckets at either end, so that the list has the buckets from `first` to `last`, which are at
// most TP_LEVELS_BUCKETS and include all present ones.
static bool extend(struct tp_latency *l, int64_t first, int64_t last)
{
    uint32_t wanted = (uint32_t)(last - first) + 1, had = l->buckets.count;
    if (wanted > had && !TP_LIST_ROOM_FOR(&l->buckets, wanted - had))
        return false;
    struct tp_latency_bucket *items = l->buckets.items;
    uint32_t before = had > 0 ? (uint32_t)(l->first - first) : 0;
    memmove(items + before, items, had * sizeof *items);
    memset(items, 0, before * sizeof *items);
    memset(items + before + had, 0, (wanted - before - had) * sizeof *items);
    l->buckets.count = wanted;
    l->first = first;
    return true;
}

bool tp_latency_reach(struct tp_latency *l, int64_t time_ns)
{
    if (l->shift < TP_LEVELS_SHIFT_MIN)
        l->shift = TP_LEVELS_SHIFT_MIN;
    for (;; join_pairs(l)) {
        int64_t at = time_ns >> l->shift, last = l->first + (int64_t)l->buckets.count - 1;
        if (l->buckets.count == 0)
            return extend(l, at, at);
        if (at >= l->first && at <= last)
            return true;
        int64_t from = at < l->first ? at : l->first, to = at > last ? at : last;
        if (to - from < TP_LEVELS_BUCKETS)
            return extend(l, from, to);
    }
}

static struct tp_latency_bucket *bucket_at(struct tp_latency *l, int64_t time_ns)
{
    return tp_latency_reach(l, time_ns) ? &l->buckets.items[(time_ns >> l->shift) - l->first] : NULL;
}

bool tp_latency_add(struct tp_latency *l, int64_t time_ns, uint64_t ns)
{
    struct tp_latency_bucket *b = bucket_at(l, time_ns);
    unsigned bits = ns == 0 ? 0 : 64 - (unsigned)__builtin_clzll(ns);
    unsigned row = bits < TP_LATENCY_FIRST_BITS ? 0 : bits - TP_LATENCY_FIRST_BITS;
    if (b != NULL)
        b->counts[row < TP_LATENCY_ROWS ? row : TP_LATENCY_ROWS - 1]++;
    return b != NULL;
}

bool tp_latency_lay(struct tp_latency *into, const struct tp_latency *from, int64_t first_ns,
                    int64_t last_ns, int64_t offset_ns)
{
    while (into->shift < from->shift)
        join_pairs(into);
    for (uint32_t i = 0; i < from->buckets.count; i++) {
        int64_t ns = (int64_t)((uint64_t)(from->first + i) << from->shift);
        ns = ns < first_ns ? first_ns : ns > last_ns ? last_ns : ns;
        struct tp_latency_bucket *to = bucket_at(into, ns + offset_ns);
        if (to == NULL)
            return false;
        add_counts(to, &from->buckets.items[i]);
    }
    return true;
}

bool tp_latency_merge(struct tp_latency *into, const struct tp_latency *from)
{
    return tp_latency_lay(into, from, INT64_MIN, INT64_MAX, 0);
}
