// Keeps the tasks and the regions that lasted longest, one by one, of each kind as many as option
// keep= allows. One that is among the slowest of all is among the slowest of each part of the input
// that has it, so the result does not depend on order and grouping. If totals with different limits
// are added, the smallest limit applies. Those that the trace cuts are not among them.
//
// One thread at a time uses an object; a zeroed one is empty and has no limit.
#ifndef TP_STATS_SLOWEST_H
#define TP_STATS_SLOWEST_H

#include "base/sort/limiter.h"
#include "stats/figures/durations.h"
#include "stats/figures/log_lines.h"

struct tp_totals;

// Kinds of intervals that are kept.
enum tp_slow_kind { TP_SLOW_TASK, TP_SLOW_REGION, TP_SLOW_KIND_COUNT };

// One task or region; a plain value.
struct tp_slow_interval {
    uint64_t ns;       // its duration
    int64_t begin_ns;  // since the trace began; until tp_totals_place_slow: on the trace's clock
    int64_t wall_ns;   // of its begin in Unix time, or TP_NO_WALL_NS; set by tp_totals_place_slow
    uint64_t id;       // of a task; regions have 0
    int64_t g;         // id of the goroutine that began it; -1: none
    uint32_t name;     // a number of the totals' `names`, like `path`; in sums: a reference
    uint32_t path;     // of the input; TP_INTERN_NONE until tp_totals_place_slow
    struct tp_interval_parts parts;
    struct tp_log_lines logs; // of a task
};

// Those that totals keep. Owns the heaps.
struct tp_slowest {
    // By kind; the first item of a heap is the next to be dropped.
    struct tp_slow_heap {
        TP_LIST(struct tp_slow_interval);
    } heaps[TP_SLOW_KIND_COUNT];
    uint32_t limit;    // maximum number of items of each heap; 0: no limit
};

// Those of one kind in a part of a trace. Those that cannot be among the slowest of all, because
// as many others of this part were slower, are left out. Owns the list.
struct tp_slow_part {
    TP_LIST(struct tp_slow_interval) items;
    struct tp_longest limit; // what lasted less than `least` is left out
};

// Removes all items; keeps the memory and the limit.
void tp_slow_part_clear(struct tp_slow_part *p);
// Adds a copy of an interval, unless it is below p->limit.least. False: out of memory, and nothing has
// changed.
bool tp_slow_part_add(struct tp_slow_part *p, const struct tp_slow_interval *added) TP_MUST_USE;

// Returns the duration below which an interval cannot be among those that `s` keeps.
TP_INLINE uint64_t tp_slowest_least_ns(const struct tp_slowest *s, enum tp_slow_kind kind)
{
    const struct tp_slow_heap *heap = &s->heaps[kind];
    return s->limit > 0 && heap->count >= s->limit ? heap->items[0].ns : 0;
}
// Adds a copy of an interval to those of its kind in s->slow. The numbers in it must be numbers of
// s->names, `path` may be TP_INTERN_NONE. False: no memory, and nothing has changed.
bool tp_totals_add_slow(struct tp_totals *s, enum tp_slow_kind kind,
                        const struct tp_slow_interval *added) TP_MUST_USE;
// Keeps at most `limit` of each kind from now on. A `limit` of 0, or above the limit so far, changes
// nothing. Cannot fail.
void tp_totals_limit_slow(struct tp_totals *s, uint32_t limit);
// Completes all intervals of s->slow when the trace has been read. `path`: of the input, a number of
// s->names. Cannot fail.
void tp_totals_place_slow(struct tp_totals *s, uint32_t path, const struct tp_trace_zero *zero);
// Compares two intervals of s->slow for a sort with the slowest first; all other members decide
// ties. Returns a value below 0 if `a` comes first, 0, or above 0.
int tp_slow_compare(const struct tp_totals *s, const struct tp_slow_interval *a,
                    const struct tp_slow_interval *b);

#endif
