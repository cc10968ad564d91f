// Counts waits for a P by when they ended and how long they were. Buckets of time are those of levels
// (stats/figures/levels.h): of the least width with which TP_LEVELS_BUCKETS of them reach from the first
// time to the last. Counts are exact sums, so the result does not depend on order and grouping.
//
// One thread at a time uses an object; a zeroed one is empty. Functions that return bool return false only
// if memory is out; then the object may only be freed.
#ifndef TP_STATS_HISTORY_LATENCY_H
#define TP_STATS_HISTORY_LATENCY_H

#include "stats/figures/levels.h"

// Rows of a bucket: row 0 has waits below 256 ns, and each further row those of the next octave. The last
// row has all that are longer.
#define TP_LATENCY_ROWS 24
#define TP_LATENCY_FIRST_BITS 8

struct tp_latency_bucket {
    uint64_t counts[TP_LATENCY_ROWS];
};
// The owner of the struct frees `buckets.items` with tp_free.
struct tp_latency {
    TP_LIST(struct tp_latency_bucket) buckets;
    int64_t first;  // index of the first bucket, which begins at first << shift
    unsigned shift; // binary logarithm of the width of a bucket in ns
};

// Returns the least wait, in ns, of a row.
TP_INLINE uint64_t tp_latency_row_ns(unsigned row)
{
    return row == 0 ? 0 : UINT64_C(1) << (TP_LATENCY_FIRST_BITS - 1 + row);
}
// Makes sure that there is a bucket of this time.
bool tp_latency_reach(struct tp_latency *l, int64_t time_ns) TP_MUST_USE;
// Counts a wait of `ns` that ended at `time_ns`.
bool tp_latency_add(struct tp_latency *l, int64_t time_ns, uint64_t ns) TP_MUST_USE;
// Adds all counts of `from` to `into`.
bool tp_latency_merge(struct tp_latency *into, const struct tp_latency *from) TP_MUST_USE;
// Adds the counts of `from`, whose times are between `first_ns` and `last_ns`, to `into`, later by
// `offset_ns`. A count is off by less than one bucket of `from`. Times must not wrap.
bool tp_latency_lay(struct tp_latency *into, const struct tp_latency *from, int64_t first_ns,
                    int64_t last_ns, int64_t offset_ns) TP_MUST_USE;

#endif
