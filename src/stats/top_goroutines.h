// Keeps the goroutines that ran longest, one by one, as many as option keep= allows, and sums the
// times of all others. A goroutine that is among the longest of all is among the longest of each
// part of the input that contains it, so the result does not depend on order and grouping. If
// totals with different limits are added, the smallest limit applies.
//
// One thread at a time uses an object; a zeroed one is empty and has no limit.
#ifndef TP_STATS_TOP_GOROUTINES_H
#define TP_STATS_TOP_GOROUTINES_H

#include "base/sort/limiter.h"
#include "stats/figures/durations.h"

struct tp_totals;

// Kinds of time that a goroutine spends. X(SPENT, key)
#define TP_SPENTS(X)                                                                    \
    X(RUNNING, "running_ns")                                                            \
    X(SCHEDULING, "runnable_ns")                                                        \
    X(SYSCALL, "syscall_ns")                                                            \
    X(BLOCKED, "blocked_ns")

enum tp_spent {
#define TP_X(spent, key) TP_SPENT_##spent,
    TP_SPENTS(TP_X)
#undef TP_X
    TP_SPENT_COUNT
};

// The figures of one goroutine; a plain value.
struct tp_top_goroutine {
    // Times by kind, including cut durations. A goroutine does one thing at a time, so none of the
    // times is longer than the trace.
    uint64_t spent_ns[TP_SPENT_COUNT];
    int64_t begin_ns;     // since the trace began; until tp_totals_place_gs: on the trace's clock
    uint64_t life_ns;     // lifetime within the trace; 0 if its beginning is unknown
    int64_t id;
    uint32_t function;    // of its start; a number of the totals' `names`, like `path`
    uint32_t path;        // of the input; TP_INTERN_NONE until tp_totals_place_gs
};

// The number of goroutines that are not kept, and the sum of their times; a plain value.
struct tp_totals_others {
    uint64_t count;
    tp_wide ns[TP_SPENT_COUNT];
};

// The kept goroutines of totals, and the sum of the others. Owns the heap.
struct tp_top_goroutines {
    TP_LIST(struct tp_top_goroutine) heap; // the first item is the next to be dropped
    uint32_t limit;       // maximum number of items of `heap`; 0: no limit
    struct tp_totals_others others;
};

// The goroutines of a part of a trace. `function` is numbered by the owner of the part, not by the
// totals. Goroutines that cannot be among the longest of all, because as many others ran longer in
// this part alone, are left out, and their times are summed in `others`. Owns the list.
struct tp_totals_part {
    TP_LIST(struct tp_top_goroutine) items;
    struct tp_longest limit; // those that ran for less than `least` are left out
    struct tp_totals_others others;
};

// Add the times of one goroutine, or the sum of others, to a sum. Cannot fail.
void tp_totals_others_add(struct tp_totals_others *o, const uint64_t spent_ns[TP_SPENT_COUNT]);
void tp_totals_others_join(struct tp_totals_others *into, const struct tp_totals_others *from);

// Removes all goroutines; keeps the memory and the limit.
void tp_totals_part_clear(struct tp_totals_part *p);
// Adds a copy of a goroutine to the items, or its times to `others`. False: out of memory, and
// nothing has changed.
bool tp_totals_part_add(struct tp_totals_part *p, const struct tp_top_goroutine *g) TP_MUST_USE;

// Returns the time below which a goroutine that ran for it cannot be among those that `gs` keeps.
TP_INLINE uint64_t tp_top_goroutines_least_ns(const struct tp_top_goroutines *gs)
{
    return gs->limit > 0 && gs->heap.count >= gs->limit
               ? gs->heap.items[0].spent_ns[TP_SPENT_RUNNING]
               : 0;
}
// Adds a copy of a goroutine to s->gs. Its `function` and `path` must be numbers of s->names.
// False: no memory, and nothing has changed.
bool tp_totals_add_g(struct tp_totals *s, const struct tp_top_goroutine *g) TP_MUST_USE;
// Keeps at most `limit` goroutines from now on, adding the times of the dropped ones to `others`.
// A `limit` of 0, or above the limit so far, changes nothing. Cannot fail.
void tp_totals_limit_gs(struct tp_totals *s, uint32_t limit);
// Completes all goroutines of s->gs when the trace has been read: sets their `path`, a number of
// s->names, and makes their begin_ns relative to first_ns, the time of the first event. Cannot
// fail.
void tp_totals_place_gs(struct tp_totals *s, uint32_t path, int64_t first_ns);
// Compares two goroutines of s->gs for a sort with the longest first; all other members decide
// ties. Returns a value below 0 if `a` comes first, 0, or above 0.
int tp_top_goroutine_compare(const struct tp_totals *s, const struct tp_top_goroutine *a,
                             const struct tp_top_goroutine *b);

#endif
