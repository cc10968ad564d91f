// Levels over time in buckets: how many goroutines are in a state, how large the heap is.
//
// A level is a sum of steps. A step of `by` at time t adds `by` to the delta of t's bucket,
// and `by` times the rest of the bucket's time to its part. Both are sums, so the steps may
// come in any order and from several parts of a trace. At the end the deltas add up to the
// level L with which each bucket begins, and its integral is L * width + part.
//
// Buckets are 2^shift ns wide and begin at multiples of that. The width is the smallest of at
// least 2^TP_LEVELS_SHIFT_MIN ns with which TP_LEVELS_BUCKETS buckets hold all steps. When there
// would be more, buckets are joined two by two, which loses nothing; so the width depends on the
// first and the last step only.
//
// Memory: 384 B per bucket. Not thread-safe; zeroed is empty. Functions that return bool: false, no
// memory. Arithmetic is modulo 2^128; only times out of order could make a result wrap.
#ifndef TP_STATS_LEVELS_H
#define TP_STATS_LEVELS_H

#include "base/list.h"

// The finest buckets are 2^16 ns (65.5 us) wide; there are at most this many.
#define TP_LEVELS_SHIFT_MIN 16
#define TP_LEVELS_BUCKETS 256

// Hot levels change with every other event, so their steps are collected before they are added
// to a bucket. X(LEVEL)
#define TP_HOT_LEVELS(X)                                                                \
    X(RUNNABLE)         /* goroutines, by state */                                      \
    X(RUNNING)                                                                          \
    X(SYSCALL)                                                                          \
    X(BLOCKED)                                                                          \
    X(PROCS)            /* Ps in use */
// Levels of gauges, which the trace reports; each report holds until the next one. X(LEVEL)
#define TP_GAUGE_LEVELS(X)                                                              \
    X(GOMAXPROCS)                                                                       \
    X(HEAP)             /* bytes */                                                     \
    X(GOAL)             /* bytes */
// All levels, in the order of enum tp_level. X(LEVEL)
#define TP_LEVELS(X)                                                                    \
    TP_HOT_LEVELS(X)                                                                    \
    TP_GAUGE_LEVELS(X)                                                                  \
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
// Numbers of levels of each kind.
#define TP_X(level) +1
enum { TP_HOT_LEVEL_COUNT = 0 TP_HOT_LEVELS(TP_X) };
enum { TP_GAUGE_LEVEL_COUNT = 0 TP_GAUGE_LEVELS(TP_X) };
#undef TP_X

// One bucket, with all levels.
struct tp_level_bucket {
    unsigned __int128 delta[TP_LEVEL_COUNT];
    unsigned __int128 part[TP_LEVEL_COUNT]; // times ns
};

// A gauge since the beginning of the window or the last flush, integrated as value times
// ns, so that all its steps are added to the bucket as one.
struct tp_level_gauge {
    unsigned __int128 sum; // from the beginning of the window to since_ns
    uint64_t before;       // the value at the beginning
    uint64_t value;        // the current value, since since_ns
    int64_t since_ns;
};

// All levels over time. Owns the buckets.
struct tp_levels {
    TP_LIST(struct tp_level_bucket) buckets;
    int64_t first;         // index of the first bucket, which begins at first << shift
    unsigned shift;
    // The window is the time within one bucket for which steps are collected. steps[down][up] is
    // the number of steps times TP_LEVEL_STEP, plus for each of them the ns since the window
    // began. Index TP_HOT_LEVEL_COUNT: no level.
    int64_t window_ns;
    uint64_t window_width; // ns, at most 2^TP_LEVEL_WINDOW_SHIFT; 0: none yet
    uint64_t step_less_window; // TP_LEVEL_STEP - window_ns
    uint64_t steps[TP_HOT_LEVEL_COUNT + 1][TP_HOT_LEVEL_COUNT + 1];
    struct tp_level_gauge gauges[TP_GAUGE_LEVEL_COUNT]; // see tp_levels_gauge_sum
};

// With at most TP_LEVEL_STEPS_MAX steps neither part of an item of `steps` overflows.
#define TP_LEVEL_STEPS_MAX (1 << 14)
#define TP_LEVEL_WINDOW_SHIFT 36
#define TP_LEVEL_STEP (UINT64_C(1) << 50)

// Removes all steps and keeps the memory.
void tp_levels_clear(struct tp_levels *l);
// Frees the buckets; all levels are then 0.
void tp_levels_fini(struct tp_levels *l);
// Returns the bytes of memory of the buckets.
size_t tp_levels_bytes(const struct tp_levels *l);

// Adds a step of `by` at this time to any level. A step down by n is given as 2^128 - n.
bool tp_levels_add(struct tp_levels *l, enum tp_level level, int64_t time_ns,
                   unsigned __int128 by) TP_MUST_USE;
// Adds the collected steps to their bucket. Must be called after at most TP_LEVEL_STEPS_MAX
// steps of hot levels.
void tp_levels_flush(struct tp_levels *l);
// Adds `from` to `into`; both must be flushed.
bool tp_levels_merge(struct tp_levels *into, const struct tp_levels *from) TP_MUST_USE;
// Lets all levels fall to 0 from this time on; `l` must be flushed.
bool tp_levels_end(struct tp_levels *l, int64_t time_ns) TP_MUST_USE;

// Flushes, and moves the window so that it includes this time; joins buckets if there would be too
// many.
bool tp_levels_turn(struct tp_levels *l, int64_t time_ns) TP_MUST_USE;

// Whether tp_levels_move and tp_levels_set may be called for this time.
TP_INLINE bool tp_levels_is_in_window(const struct tp_levels *l, int64_t time_ns)
{
    return (uint64_t)time_ns - (uint64_t)l->window_ns < l->window_width;
}

// Adds a step down of one hot level and a step up of another, at a time in the window.
// TP_LEVEL_NONE: no step.
TP_INLINE void tp_levels_move(struct tp_levels *l, enum tp_level down, enum tp_level up,
                              int64_t time_ns)
{
    unsigned from = (unsigned)down < TP_HOT_LEVEL_COUNT ? (unsigned)down : TP_HOT_LEVEL_COUNT;
    unsigned to = (unsigned)up < TP_HOT_LEVEL_COUNT ? (unsigned)up : TP_HOT_LEVEL_COUNT;
    l->steps[from][to] += (uint64_t)time_ns + l->step_less_window;
}

// Returns the sum of a gauge; `level` must be one of TP_GAUGE_LEVELS.
TP_INLINE struct tp_level_gauge *tp_levels_gauge_sum(struct tp_levels *l, enum tp_level level)
{
    return &l->gauges[level - TP_HOT_LEVEL_COUNT];
}

// Sets the value of a gauge from this time on, which must be in the window and not before the
// gauge's last report.
TP_INLINE void tp_levels_set(struct tp_levels *l, enum tp_level level, int64_t time_ns,
                             uint64_t value)
{
    struct tp_level_gauge *t = tp_levels_gauge_sum(l, level);
    t->sum += (unsigned __int128)t->value * ((uint64_t)time_ns - (uint64_t)t->since_ns);
    t->value = value;
    t->since_ns = time_ns;
}

// Sets a gauge's first value without a step; the caller, which knows the value before, adds the
// step with tp_levels_add.
TP_INLINE void tp_levels_set_first(struct tp_levels *l, enum tp_level level, uint64_t value)
{
    *tp_levels_gauge_sum(l, level) =
        (struct tp_level_gauge){.before = value, .value = value, .since_ns = l->window_ns};
}

#endif
