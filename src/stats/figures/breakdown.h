// Tells where the time of tasks and regions went: their time by class, added up over those whose
// durations are in one bucket of the histogram of durations. From these sums follow the time of
// all, of the median, and of the slowest ones, and they add up exactly, in any order and grouping.
//
// One thread at a time uses an object; a zeroed one is empty. Functions fail only for lack of
// memory.
#ifndef TP_STATS_FIGURES_BREAKDOWN_H
#define TP_STATS_FIGURES_BREAKDOWN_H

#include "base/histogram.h"
#include "base/list.h"
#include "base/wide.h"
#include "merge/track/time_class.h"

// The sum of intervals whose durations are in one bucket, or of any intervals.
struct tp_breakdown_sum {
    uint64_t count;
    tp_wide ns[TP_CLASS_COUNT];
    tp_wide delay_ns[TP_DELAY_COUNT];
};
// Adds up all classes of a sum; TP_WIDE_MAX if that is more.
tp_wide tp_breakdown_sum_ns(const struct tp_breakdown_sum *sum);
// Returns the sum of one interval.
struct tp_breakdown_sum tp_breakdown_sum_of(const struct tp_interval_parts *parts);
// Adds `from` to `into`.
void tp_breakdown_sum_join(struct tp_breakdown_sum *into, const struct tp_breakdown_sum *from);

// The intervals of one name, by bucket. Owns its memory. A program may have thousands of names with
// one interval each, so a breakdown has no more memory than its rows need.
struct tp_breakdown {
    TP_LIST(struct tp_breakdown_sum) rows; // in the order in which the buckets were first met
    // Bucket << 16 | number of the row, ascending.
    TP_LIST(uint32_t) order;
};
_Static_assert(TP_HIST_BUCKETS <= UINT16_MAX, "bucket and row have 16 bits each");

// Returns the sum of a bucket, which is added if it is new. NULL: out of memory. Valid until the
// next bucket is added.
struct tp_breakdown_sum *tp_breakdown_make_row(struct tp_breakdown *b, unsigned bucket) TP_MUST_USE;
// Adds all rows of `from`. False: out of memory; `into` may have a part of them.
bool tp_breakdown_merge(struct tp_breakdown *into, const struct tp_breakdown *from) TP_MUST_USE;
// Frees the memory; the object is then empty.
void tp_breakdown_fini(struct tp_breakdown *b);

// Returns the row at this place in the order of buckets, below b->order.count, and sets
// *ret_bucket.
const struct tp_breakdown_sum *tp_breakdown_at(const struct tp_breakdown *b, uint32_t at,
                                               unsigned *ret_bucket);

// Which intervals are added up. X(PART, key, words)
#define TP_BREAKDOWN_PARTS(X)                                                           \
    X(ALL, "all", "all")                                                                \
    X(MEDIAN, "median", "median")        /* in the bucket of the median */              \
    X(SLOWEST, "slowest", "slowest 1 %") /* from the bucket of the 99th percentile on */
enum tp_breakdown_part {
#define TP_X(part, key, words) TP_BREAKDOWN_##part,
    TP_BREAKDOWN_PARTS(TP_X)
#undef TP_X
    TP_BREAKDOWN_PART_COUNT
};
// Adds up a part of the intervals; count is 0 if there are none.
struct tp_breakdown_sum tp_breakdown_part_of(const struct tp_breakdown *b,
                                             enum tp_breakdown_part part);

#endif
