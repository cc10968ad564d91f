// Records levels over time in buckets: how many goroutines are in a state, how large the heap is.
//
// A level is a sum of steps. A bucket has two sums for each level, its delta and its part. A step
// of `by` at time t adds `by` to the delta of the bucket that includes t, and `by` times the time
// from t to the bucket's end to the part. As both are sums, the steps may be added in any order and
// from several parts of a trace. In the end, the level L at the beginning of a bucket is the sum of
// the deltas of all buckets before it, and the integral of the level over the bucket is L * width +
// part.
//
// Buckets are 2^shift ns wide and begin at multiples of their width. The width is the smallest one,
// of at least 2^TP_LEVELS_SHIFT_MIN ns, with which TP_LEVELS_BUCKETS buckets cover all steps. When
// more buckets would be needed, buckets are joined two by two, which is exact for the wider
// buckets; so the width depends on the times of the first and the last step only.
//
// Memory: 384 B per bucket. One thread at a time uses an object; a zeroed one is empty. Functions
// that return bool return false only if memory is out; then the call has added no step, except
// tp_levels_end, which may have ended some of the levels. Arithmetic is modulo 2^128; only times
// out of order could make a result wrap. Times are in ns on the clock of the trace.
#ifndef TP_STATS_FIGURES_LEVELS_H
#define TP_STATS_FIGURES_LEVELS_H

#include "base/list.h"

// The finest buckets are 2^16 ns (65.5 us) wide; there are at most TP_LEVELS_BUCKETS buckets.
#define TP_LEVELS_SHIFT_MIN 16
#define TP_LEVELS_BUCKETS 256

// Levels that very many events change. Their steps are first collected in a window (see struct
// tp_levels) and then added to a bucket together. X(LEVEL)
#define TP_HOT_LEVELS(X)                                                                \
    X(RUNNABLE)         /* goroutines in this state, as the next three */               \
    X(RUNNING)                                                                          \
    X(SYSCALL)                                                                          \
    X(BLOCKED)                                                                          \
    X(PROCS)            /* Ps in use */
// Levels of gauges, numbers that the runtime reports in events; a reported value lasts until the
// next report. X(LEVEL)
#define TP_GAUGE_LEVELS(X)                                                              \
    X(GOMAXPROCS)                                                                       \
    X(HEAP)             /* bytes */                                                     \
    X(GOAL)             /* bytes */
// All levels, in the order of enum tp_level. X(LEVEL)
#define TP_LEVELS(X)                                                                    \
    TP_HOT_LEVELS(X)                                                                    \
    TP_GAUGE_LEVELS(X)                                                                  \
    X(GOMAXPROCS_KNOWN) /* 1 from the first report of the gauge on */                   \
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
// Numbers of levels in TP_HOT_LEVELS and in TP_GAUGE_LEVELS.
#define TP_X(level) +1
enum { TP_HOT_LEVEL_COUNT = 0 TP_HOT_LEVELS(TP_X) };
enum { TP_GAUGE_LEVEL_COUNT = 0 TP_GAUGE_LEVELS(TP_X) };
#undef TP_X

// One bucket, with all levels.
struct tp_level_bucket {
    unsigned __int128 delta[TP_LEVEL_COUNT];
    unsigned __int128 part[TP_LEVEL_COUNT]; // unit: level times ns
};

// A gauge in the window. Only steps since the last tp_levels_flush are in it: until the first of
// them, the gauge counts as having the value `before` since the beginning of the window. The
// integral is kept, so that tp_levels_flush adds all steps to the bucket as one.
struct tp_level_gauge {
    unsigned __int128 sum; // integral, value times ns, from the beginning of the window to since_ns
    uint64_t before;       // the value that counts at the beginning of the window
    uint64_t value;        // the current value
    int64_t since_ns;      // time since which `value` lasts and is not yet in `sum`
};

// All levels over time. The owner of the struct frees `buckets.items` with tp_free.
struct tp_levels {
    TP_LIST(struct tp_level_bucket) buckets;
    int64_t first;         // index of the first bucket, which begins at first << shift
    unsigned shift;        // binary logarithm of the width of a bucket in ns
    // The window is a time interval within one bucket for which steps of gauges and of the levels
    // in TP_HOT_LEVELS are collected. steps[down][up] has the calls of tp_levels_move that lower
    // level `down` and raise level `up`: their number times TP_LEVEL_STEP, plus the sum of their
    // times in ns since the window began. Index TP_HOT_LEVEL_COUNT stands for no level.
    int64_t window_ns;
    uint64_t window_width; // ns, at most 2^TP_LEVEL_WINDOW_SHIFT; 0: no window yet
    uint64_t step_less_window; // TP_LEVEL_STEP - window_ns, computed once for tp_levels_move
    uint64_t steps[TP_HOT_LEVEL_COUNT + 1][TP_HOT_LEVEL_COUNT + 1];
    struct tp_level_gauge gauges[TP_GAUGE_LEVEL_COUNT]; // by level - TP_HOT_LEVEL_COUNT
};

// If there are at most TP_LEVEL_STEPS_MAX calls of tp_levels_move between two of tp_levels_flush,
// no item of `steps` overflows: neither its number of calls nor the sum of their times.
#define TP_LEVEL_STEPS_MAX (1 << 14)
#define TP_LEVEL_WINDOW_SHIFT 36
#define TP_LEVEL_STEP (UINT64_C(1) << 50)

// Removes all steps and keeps the memory.
void tp_levels_clear(struct tp_levels *l);

// Adds a step of `by` to any level at any time. A step down by n is given as 2^128 - n.
bool tp_levels_add(struct tp_levels *l, enum tp_level level, int64_t time_ns,
                   unsigned __int128 by) TP_MUST_USE;
// Adds the steps collected in the window to the window's bucket; the window stays. Must be called
// after at most TP_LEVEL_STEPS_MAX calls of tp_levels_move.
void tp_levels_flush(struct tp_levels *l);
// Adds all steps of `from` to `into`, copying them. Call tp_levels_flush on both before.
bool tp_levels_merge(struct tp_levels *into, const struct tp_levels *from) TP_MUST_USE;
// Ends all levels: adds to each the step that makes it 0 from `time_ns` on. Call tp_levels_flush
// before.
bool tp_levels_end(struct tp_levels *l, int64_t time_ns) TP_MUST_USE;

// Calls tp_levels_flush, and moves the window so that it includes this time. Adds the bucket of
// this time if needed, or joins buckets if they would be too many. After a failure the window is
// where it was.
bool tp_levels_turn(struct tp_levels *l, int64_t time_ns) TP_MUST_USE;

// Whether the window includes this time, so that tp_levels_move and tp_levels_set may be called for
// it.
TP_INLINE bool tp_levels_is_in_window(const struct tp_levels *l, int64_t time_ns)
{
    return (uint64_t)time_ns - (uint64_t)l->window_ns < l->window_width;
}

// Lowers level `down` by 1 and raises level `up` by 1 at a time in the window. Both must be of
// TP_HOT_LEVELS, or TP_LEVEL_NONE, which stands for no level. Cannot fail.
TP_INLINE void tp_levels_move(struct tp_levels *l, enum tp_level down, enum tp_level up,
                              int64_t time_ns)
{
    unsigned from = (unsigned)down < TP_HOT_LEVEL_COUNT ? (unsigned)down : TP_HOT_LEVEL_COUNT;
    unsigned to = (unsigned)up < TP_HOT_LEVEL_COUNT ? (unsigned)up : TP_HOT_LEVEL_COUNT;
    l->steps[from][to] += (uint64_t)time_ns + l->step_less_window;
}
// Does the same for two of TP_HOT_LEVELS, or TP_HOT_LEVEL_COUNT, which stands for no level.
TP_INLINE void tp_levels_move_hot(struct tp_levels *l, unsigned down, unsigned up, int64_t time_ns)
{
    l->steps[down][up] += (uint64_t)time_ns + l->step_less_window;
}

// Sets the value of a gauge from this time on. The time must be in the window and not before the
// gauge's last report.
TP_INLINE void tp_levels_set(struct tp_levels *l, enum tp_level level, int64_t time_ns,
                             uint64_t value)
{
    struct tp_level_gauge *t = &l->gauges[level - TP_HOT_LEVEL_COUNT];
    t->sum += (unsigned __int128)t->value * ((uint64_t)time_ns - (uint64_t)t->since_ns);
    t->value = value;
    t->since_ns = time_ns;
}

// Sets a gauge's value from the beginning of the window on, without a step. Called for the first
// report of a unit: only its input knows the value before it, and adds the step with
// tp_levels_add.
TP_INLINE void tp_levels_set_first(struct tp_levels *l, enum tp_level level, uint64_t value)
{
    l->gauges[level - TP_HOT_LEVEL_COUNT] =
        (struct tp_level_gauge){.before = value, .value = value, .since_ns = l->window_ns};
}

#endif
