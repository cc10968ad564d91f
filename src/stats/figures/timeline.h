// Sums levels (levels.h) by the time since the trace began, for one trace or over many.
//
// Bucket 0 is the bucket in which the trace begins; buckets begin at multiples of their width on
// the trace's own clock. If two traces have buckets of different widths, the finer ones are joined
// two by two, from bucket 0 on, until the widths are equal. After n times, bucket i is part of
// bucket i / 2^n, whether the joins came between additions of traces or at once. All other values
// are sums, minima and maxima, so the result does not depend on order and grouping of the traces.
//
// One thread at a time uses an object; a zeroed one is empty.
#ifndef TP_STATS_FIGURES_TIMELINE_H
#define TP_STATS_FIGURES_TIMELINE_H

#include "base/wide.h"
#include "stats/figures/levels.h"

// Gauges: numbers that the runtime reports in events. Each has two levels: the reported value, and
// one that is 1 from the first report on. X(GAUGE, type of the events, key)
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
// The two levels of each gauge; constant.
extern const struct tp_gauge_level {
    enum tp_level level;
    enum tp_level known; // 1 from the first report on
} tp_gauge_levels[TP_GAUGE_COUNT];

// A summary of the reports of one gauge; a plain value. Units are those of the gauge.
struct tp_gauge {
    uint64_t count;        // number of reports; 0: the other members are meaningless
    uint64_t change_count; // reports whose value differs from that of the report before
    uint64_t least;
    uint64_t greatest;
};

// The levels and gauges of one trace, or summed over many. The owner of the struct frees
// `buckets.items` with tp_free.
struct tp_timeline {
    TP_LIST(struct tp_timeline_bucket {
        tp_wide totals[TP_LEVEL_COUNT]; // integrals over the bucket's time: level times ns
    }) buckets;
    unsigned shift;        // buckets are 2^shift ns wide; 0 if there are none
    struct tp_gauge gauges[TP_GAUGE_COUNT];
};

// Adds the reports of `from` to `into`; either may have none. Does not compare the last value of
// one with the first value of the other, which may be a further change. Cannot fail.
void tp_gauge_add(struct tp_gauge *into, const struct tp_gauge *from);

// Fills a timeline without buckets from levels on which tp_levels_end was called. Integrals below 0
// become 0. Does not change the gauges. False: no memory; then the timeline may only be freed.
bool tp_timeline_make(struct tp_timeline *t, const struct tp_levels *l) TP_MUST_USE;
// Adds the gauges of `from`, and its buckets by the time since the traces began. False: out of
// memory; no bucket was added, but the gauges were, so the timeline may only be freed.
bool tp_timeline_merge(struct tp_timeline *into, const struct tp_timeline *from) TP_MUST_USE;
// Adds the integrals of all levels of `from` to those of `into`. Cannot fail.
void tp_timeline_add_bucket(struct tp_timeline_bucket *into,
                            const struct tp_timeline_bucket *from);

#endif
