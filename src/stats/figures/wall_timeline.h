// Sums levels (levels.h) by the wall clock, over many traces.
//
// A bucket is 2^shift ns wide and begins at a multiple of its width in Unix time, so buckets of all
// traces coincide. A trace has its levels in buckets of its own clock (timeline.h). These are laid
// on the wall clock once, with buckets of the same width: a level counts as constant over a bucket
// of the trace, so an integral is divided by the time that lies in each of the two wall buckets, and
// the two parts add up to it exactly. A trace is therefore off by at most one of its own buckets, 1
// part in 128 of its length, and no integral of the whole is.
//
// If there would be more than TP_LEVELS_BUCKETS buckets from the first trace to the last, buckets
// are joined two by two. Their width is the least that all traces have and that makes the number of
// buckets small enough, so it does not depend on order and grouping, and neither do the sums.
//
// One thread at a time uses an object; a zeroed one is empty. Functions that return bool return
// false only if memory is out; then the object may only be freed.
#ifndef TP_STATS_FIGURES_WALL_TIMELINE_H
#define TP_STATS_FIGURES_WALL_TIMELINE_H

#include "base/time/wall.h"
#include "stats/figures/timeline.h"

// The owner of the struct frees `buckets.items` with tp_free.
struct tp_wall_timeline {
    uint64_t file_count; // traces that were laid on the wall clock
    // A bucket without a trace has a covered time of 0, and so may one with a trace of no length.
    TP_LIST(struct tp_timeline_bucket) buckets;
    int64_t first;       // bucket 0 begins at first * 2^shift ns of Unix time
    unsigned shift;      // meaningless if there are no buckets, as is `first`
};

// The time of one trace, by its own clock and by that of the wall.
struct tp_wall_place {
    int64_t first_ns; // of the first event and
    int64_t last_ns;  // the last one, on the clock of the trace
    int64_t wall_ns;  // Unix time of the first event
    int64_t first_bucket; // on the clock of the trace bucket 0 of its timeline begins at this
                          // number times the width of buckets
};

// Fills an empty object from the timeline of one trace. A trace that ends before it begins, or
// whose end is not in Unix time of 64 bits of nanoseconds, is left out.
bool tp_wall_timeline_lay(struct tp_wall_timeline *w, const struct tp_timeline *t,
                          const struct tp_wall_place *place) TP_MUST_USE;
// Adds all buckets of `from` to `into`.
bool tp_wall_timeline_merge(struct tp_wall_timeline *into,
                            const struct tp_wall_timeline *from) TP_MUST_USE;

#endif
