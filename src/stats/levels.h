// Levels over time, in buckets: how many goroutines are in a state, how large the heap is.
//
// A level is a sum of steps. A step of `by` at time t adds `by` to the delta of t's bucket,
// and `by` times what is left of the bucket to its part: these are totals, so the steps may
// come in any order and from several parts of a trace. At the end the deltas add up to the
// level L with which each bucket begins, and its integral is L * width + part.
//
// Buckets are 2^shift ns wide and begin at multiples of that: they are the smallest ones of
// at least 2^TP_LEVELS_SHIFT_MIN ns of which TP_LEVELS_BUCKETS hold all steps. More of them
// are joined two by two, which loses nothing; so which ones it comes to depends on the first
// and the last step alone.
//
// Memory: 384 B a bucket. Plain memory of one thread; zeroed is empty. False: out of memory.
// Everything is modulo 2^128, where only times out of order could lead.
#ifndef TP_STATS_LEVELS_H
#define TP_STATS_LEVELS_H

#include "base/list.h"

#define TP_LEVELS_SHIFT_MIN 16
#define TP_LEVELS_BUCKETS 256

// The first ones change with every other event, so their steps are gathered before they go
// to their bucket. X(LEVEL)
#define TP_HOT_LEVELS(X)                                                                \
    X(RUNNABLE)         /* goroutines, by state */                                      \
    X(RUNNING)                                                                          \
    X(SYSCALL)                                                                          \
    X(BLOCKED)                                                                          \
    X(PROCS)            /* Ps in use */
// These are told, as numbers that hold until the next one is told. X(LEVEL)
#define TP_TOLD_LEVELS(X)                                                               \
    X(GOMAXPROCS)                                                                       \
    X(HEAP)             /* bytes */                                                     \
    X(GOAL)             /* bytes */
#define TP_LEVELS(X)                                                                    \
    TP_HOT_LEVELS(X)                                                                    \
    TP_TOLD_LEVELS(X)                                                                   \
    X(GOMAXPROCS_KNOWN) /* 1 from when it is known */                                   \
    X(HEAP_KNOWN)                                                                       \
    X(GOAL_KNOWN)                                                                       \
    X(COVERED)          /* 1 from the first event to the last */

enum tp_level {
#define TP_X(level) TP_LEVEL_##level,
    TP_LEVELS(TP_X)
#undef TP_X
    TP_LEVEL_COUNT,
    TP_LEVEL_NONE = TP_LEVEL_COUNT
};
#define TP_X(level) +1
enum { TP_HOT_LEVEL_COUNT = 0 TP_HOT_LEVELS(TP_X) };
enum { TP_TOLD_LEVEL_COUNT = 0 TP_TOLD_LEVELS(TP_X) };
#undef TP_X

struct tp_level_bucket {
    unsigned __int128 delta[TP_LEVEL_COUNT];
    unsigned __int128 part[TP_LEVEL_COUNT]; // times ns
};

// What a told level came to since the window began, or was flushed: by value times ns, all its
// steps go to the bucket as one.
struct tp_level_told {
    unsigned __int128 sum; // from the window's begin to since_ns
    uint64_t before;       // the first value of that time
    uint64_t value;        // the last one, since since_ns
    int64_t since_ns;
};

struct tp_levels {
    TP_LIST(struct tp_level_bucket) buckets;
    int64_t first;         // of the buckets: it begins at first << shift
    unsigned shift;
    // Time in one bucket for which steps are gathered: how many, times TP_LEVEL_STEP, and the
    // ns that had passed in the window at each, by the levels down from and up to;
    // TP_HOT_LEVEL_COUNT: none.
    int64_t window_ns;
    uint64_t window_width; // ns, at most 2^TP_LEVEL_WINDOW_SHIFT; 0: none yet
    uint64_t step_less_window; // TP_LEVEL_STEP - window_ns
    uint64_t steps[TP_HOT_LEVEL_COUNT + 1][TP_HOT_LEVEL_COUNT + 1];
    struct tp_level_told told[TP_TOLD_LEVEL_COUNT]; // see tp_levels_told
};

// Neither part of such a number overflows in TP_LEVEL_STEPS_MAX steps.
#define TP_LEVEL_STEPS_MAX (1 << 14)
#define TP_LEVEL_WINDOW_SHIFT 36
#define TP_LEVEL_STEP (UINT64_C(1) << 50)

void tp_levels_clear(struct tp_levels *l); // keeps memory
void tp_levels_fini(struct tp_levels *l);
size_t tp_levels_bytes(const struct tp_levels *l);

bool tp_levels_add(struct tp_levels *l, enum tp_level level, int64_t time_ns,
                   unsigned __int128 by) TP_MUST_USE;
// What was gathered goes to its bucket; at the latest after TP_LEVEL_STEPS_MAX steps of hot
// levels.
void tp_levels_flush(struct tp_levels *l);
// Both are flushed.
bool tp_levels_merge(struct tp_levels *into, const struct tp_levels *from) TP_MUST_USE;
// All levels fall to 0. Flushed.
bool tp_levels_end(struct tp_levels *l, int64_t time_ns) TP_MUST_USE;

// Puts the window around this time.
bool tp_levels_turn(struct tp_levels *l, int64_t time_ns) TP_MUST_USE;

TP_INLINE bool tp_levels_is_in_window(const struct tp_levels *l, int64_t time_ns)
{
    return (uint64_t)time_ns - (uint64_t)l->window_ns < l->window_width;
}

// One step down of a hot level, one up of another, at a time in the window; TP_LEVEL_NONE:
// no step.
TP_INLINE void tp_levels_move(struct tp_levels *l, enum tp_level down, enum tp_level up,
                              int64_t time_ns)
{
    unsigned from = (unsigned)down < TP_HOT_LEVEL_COUNT ? (unsigned)down : TP_HOT_LEVEL_COUNT;
    unsigned to = (unsigned)up < TP_HOT_LEVEL_COUNT ? (unsigned)up : TP_HOT_LEVEL_COUNT;
    l->steps[from][to] += (uint64_t)time_ns + l->step_less_window;
}

TP_INLINE struct tp_level_told *tp_levels_told(struct tp_levels *l, enum tp_level level)
{
    return &l->told[level - TP_HOT_LEVEL_COUNT];
}

// A told level is this from here on, at a time in the window that is not before the last one.
TP_INLINE void tp_levels_tell(struct tp_levels *l, enum tp_level level, int64_t time_ns,
                              uint64_t value)
{
    struct tp_level_told *t = tp_levels_told(l, level);
    t->sum += (unsigned __int128)t->value * ((uint64_t)time_ns - (uint64_t)t->since_ns);
    t->value = value;
    t->since_ns = time_ns;
}

// Whoever knows what it was before adds the step to the first value: here there is none.
TP_INLINE void tp_levels_tell_first(struct tp_levels *l, enum tp_level level, uint64_t value)
{
    *tp_levels_told(l, level) =
        (struct tp_level_told){.before = value, .value = value, .since_ns = l->window_ns};
}

#endif
