// The goroutines that ran longest, one by one: so many as keep= says, and the others
// together. Whoever is among the longest of all is so in each part, so any order and
// grouping comes to the same; where parts were made with different limits, the smallest one
// holds.
#ifndef TP_STATS_TOP_GOROUTINES_H
#define TP_STATS_TOP_GOROUTINES_H

#include "base/list.h"
#include "stats/duration_table.h"

struct tp_sums;

// X(SPENT, key)
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

TP_INLINE enum tp_spent tp_spent_of(uint32_t measure)
{
    switch (measure) {
    case TP_MEASURE_RUN: return TP_SPENT_RUNNING;
    case TP_MEASURE_SCHED: return TP_SPENT_SCHEDULING;
    case TP_MEASURE_SYSCALL: return TP_SPENT_SYSCALL;
    default: return TP_SPENT_BLOCKED;
    }
}

struct tp_sum_g {
    // With what was cut. It does one thing at a time, so none is longer than the trace.
    uint64_t spent_ns[TP_SPENT_COUNT];
    int64_t begin_ns;     // since the trace began; while it is read, on its clock
    uint64_t life_ns;     // in the trace; 0 where the begin was lost
    int64_t id;
    uint32_t function;    // numbers of the sums' names
    uint32_t path;        // TP_INTERN_NONE while the trace is read
};

// Those that are not kept, together.
struct tp_sum_others {
    uint64_t count;
    tp_wide ns[TP_SPENT_COUNT];
};

struct tp_sum_gs {
    TP_LIST(struct tp_sum_g) heap; // the first one is the first to go
    uint32_t limit;       // of `heap`; 0: none
    struct tp_sum_others others;
};

// Those of a part of a trace, whose names are not those of the sums: it leaves out who cannot
// be among the longest of all, because as many as are kept ran longer in this part alone.
struct tp_sum_part {
    TP_LIST(struct tp_sum_g) items;
    uint32_t limit;       // 0: none
    uint32_t full_count;  // of items, that are looked through when they are so many
    uint64_t least_ns;    // who ran for less is left out
    struct tp_sum_others others;
};

void tp_sum_others_add(struct tp_sum_others *o, const uint64_t spent_ns[TP_SPENT_COUNT]);
void tp_sum_others_join(struct tp_sum_others *into, const struct tp_sum_others *from);

void tp_sum_part_clear(struct tp_sum_part *p); // keeps memory and limit
void tp_sum_part_fini(struct tp_sum_part *p);  // zeroed is fine
// False: out of memory.
bool tp_sum_part_add(struct tp_sum_part *p, const struct tp_sum_g *g) TP_MUST_USE;

void tp_sum_gs_fini(struct tp_sum_gs *gs);
// Its numbers are those of `s`. False: out of memory.
bool tp_sums_add_g(struct tp_sums *s, const struct tp_sum_g *g) TP_MUST_USE;
// Keeps no more than so many from here on.
void tp_sums_limit_gs(struct tp_sums *s, uint32_t limit);
// The trace has been read, from this moment on.
void tp_sums_place_gs(struct tp_sums *s, uint32_t path, int64_t first_ns);
// Longest first; by all that they are.
int tp_sum_g_compare(const struct tp_sums *s, const struct tp_sum_g *a,
                     const struct tp_sum_g *b);

#endif
