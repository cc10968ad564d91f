// The goroutines that ran longest, one by one, as many as option keep= allows, and the sum of
// the others. A goroutine that is among the longest of all is among the longest of each part,
// so the result does not depend on order and grouping. If parts have different limits, the
// smallest one is used.
#ifndef TP_STATS_TOP_GOROUTINES_H
#define TP_STATS_TOP_GOROUTINES_H

#include "base/list.h"
#include "stats/durations.h"

struct tp_totals;

// What a goroutine spends time in. X(SPENT, key)
#define TP_SPENTS(X)                                                                    \
    X(RUNNING, "running_ns")                                                            \
    X(SCHEDULING, "scheduling_ns")                                                      \
    X(SYSCALL, "syscall_ns")                                                            \
    X(BLOCKED, "blocked_ns")

enum tp_spent {
#define TP_X(spent, key) TP_SPENT_##spent,
    TP_SPENTS(TP_X)
#undef TP_X
    TP_SPENT_COUNT
};

// Returns the kind of time that a measure counts for; `measure` is not TP_MEASURE_LIFE.
TP_INLINE enum tp_spent tp_spent_of(uint32_t measure)
{
    switch (measure) {
    case TP_MEASURE_RUN: return TP_SPENT_RUNNING;
    case TP_MEASURE_SCHED: return TP_SPENT_SCHEDULING;
    case TP_MEASURE_SYSCALL: return TP_SPENT_SYSCALL;
    default: return TP_SPENT_BLOCKED;
    }
}

// The figures of one goroutine; a plain value.
struct tp_top_goroutine {
    // Times by kind, including cut durations. A goroutine does one thing at a time, so none of the
    // times is longer than the trace.
    uint64_t spent_ns[TP_SPENT_COUNT];
    int64_t begin_ns;     // since the trace began; while it is read: on its clock
    uint64_t life_ns;     // lifetime within the trace; 0: its begin was lost
    int64_t id;
    uint32_t function;    // a number of the totals' names, like `path`
    uint32_t path;        // TP_INTERN_NONE while the trace is read
};

// The sum of the goroutines that are not kept.
struct tp_totals_others {
    uint64_t count;
    tp_wide ns[TP_SPENT_COUNT];
};

// The kept goroutines of totals. Owns the heap.
struct tp_top_goroutines {
    TP_LIST(struct tp_top_goroutine) heap; // the first item is the next to be dropped
    uint32_t limit;       // most items of `heap`; 0: no limit
    struct tp_totals_others others;
};

// The goroutines of a part of a trace. Their names are numbered by the owner of the part, not by
// the totals. Leaves out goroutines that cannot be among the longest of all, because `limit` others
// ran longer in this part alone; `others` has their sum. Owns the list.
struct tp_totals_part {
    TP_LIST(struct tp_top_goroutine) items;
    uint32_t limit;       // 0: no limit
    uint32_t full_count;  // with this many items, short ones are left out
    uint64_t least_ns;    // goroutines that ran for less are left out
    struct tp_totals_others others;
};

// Add the times of one goroutine, or the sum of many. Cannot fail.
void tp_totals_others_add(struct tp_totals_others *o, const uint64_t spent_ns[TP_SPENT_COUNT]);
void tp_totals_others_join(struct tp_totals_others *into, const struct tp_totals_others *from);

// Removes all goroutines; keeps the memory and the limit.
void tp_totals_part_clear(struct tp_totals_part *p);
// Frees the list; a zeroed part is fine.
void tp_totals_part_fini(struct tp_totals_part *p);
// Adds a goroutine, or its times to the others. False: out of memory.
bool tp_totals_part_add(struct tp_totals_part *p, const struct tp_top_goroutine *g) TP_MUST_USE;

// Frees the heap; zeroed is fine.
void tp_top_goroutines_fini(struct tp_top_goroutines *gs);
// Adds a goroutine, whose names are numbers of `s`. False: no memory.
bool tp_totals_add_g(struct tp_totals *s, const struct tp_top_goroutine *g) TP_MUST_USE;
// Keeps at most `limit` goroutines from now on, adding the times of the dropped ones to `others`.
// A `limit` of 0, or above the limit so far, changes nothing.
void tp_totals_limit_gs(struct tp_totals *s, uint32_t limit);
// Called when the trace has been read: sets `path`, and makes begin_ns relative to first_ns,
// the time of its first event.
void tp_totals_place_gs(struct tp_totals *s, uint32_t path, int64_t first_ns);
// Compares two goroutines for a sort with the longest first; ties are decided by all other members.
// Both have names that are numbers of `s`.
int tp_top_goroutine_compare(const struct tp_totals *s, const struct tp_top_goroutine *a,
                             const struct tp_top_goroutine *b);

#endif
