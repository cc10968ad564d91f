// Levels over the time since a trace began, of one trace or summed over many.
//
// Bucket 0 is the bucket in which the trace begins; buckets begin at multiples of their width
// on the trace's own clock. If two traces have buckets of different widths, the finer ones are
// joined two by two, from bucket 0 on, until the widths are equal: bucket i becomes part of
// bucket i / 2^n, in however many steps. All other values are sums, minima and maxima, so the
// result does not depend on order and grouping of the traces.
//
// Not thread-safe; zeroed is empty.
#ifndef TP_STATS_TIMELINE_H
#define TP_STATS_TIMELINE_H

#include "base/wide.h"
#include "stats/levels.h"

// Gauges: numbers that the runtime reports. Each has a level, and another level that is 1
// while the number is known. X(GAUGE, wire type, key)
#define TP_GAUGES(X)                                                                    \
    X(GOMAXPROCS, TP_EV_ProcsChange, "gomaxprocs")                                      \
    X(HEAP, TP_EV_HeapAlloc, "heap_bytes")                                              \
    X(GOAL, TP_EV_HeapGoal, "goal_bytes")

enum tp_gauge_kind {
#define TP_X(gauge, type, key) TP_GAUGE_##gauge,
    TP_GAUGES(TP_X)
#undef TP_X
    TP_GAUGE_COUNT
};
// The levels of each gauge; constant.
extern const struct tp_gauge_level {
    enum tp_level level;
    enum tp_level known; // 1 while the gauge has a value
} tp_gauge_levels[TP_GAUGE_COUNT];

// The reports of a gauge, summed up.
struct tp_gauge {
    uint64_t count;        // number of reports; 0: the other members are meaningless
    uint64_t change_count; // reports with another value than the previous report
    uint64_t least;
    uint64_t greatest;
};

// The levels and gauges of one trace, or summed over many. Owns the buckets.
struct tp_timeline {
    TP_LIST(struct tp_timeline_bucket {
        tp_wide totals[TP_LEVEL_COUNT]; // level times ns
    }) buckets;
    unsigned shift;        // buckets are 2^shift ns wide; meaningless without buckets
    struct tp_gauge gauges[TP_GAUGE_COUNT];
};

// Joins the figures of two gauges; either may be empty.
void tp_gauge_add(struct tp_gauge *into, const struct tp_gauge *from);

// Frees the buckets; a zeroed timeline is fine.
void tp_timeline_fini(struct tp_timeline *t);
// Whether the timeline has neither buckets nor reports of gauges.
bool tp_timeline_is_empty(const struct tp_timeline *t);
// Fills an empty timeline from levels after tp_levels_end. Integrals below 0 become 0. Does
// not change the gauges. False: no memory.
bool tp_timeline_make(struct tp_timeline *t, const struct tp_levels *l) TP_MUST_USE;
// Adds another timeline, bucket by bucket from the begin of both, and its gauges. False: out of
// memory.
bool tp_timeline_merge(struct tp_timeline *into, const struct tp_timeline *from) TP_MUST_USE;
// Adds all levels of a bucket to those of another.
void tp_timeline_add_bucket(struct tp_timeline_bucket *into,
                            const struct tp_timeline_bucket *from);

#endif
