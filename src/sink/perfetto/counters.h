// Counters over time: goroutines by state, Ps in use, heap. One thread at a time, in the order of the trace.
//
// Of each window of time a counter gets its peak and its last value. The first generation announces
// goroutines that have been there since its begin, so its values are held until it ends; if they become too
// many, the windows double. Later values are written as the windows close.
#ifndef TP_SINK_PERFETTO_COUNTERS_H
#define TP_SINK_PERFETTO_COUNTERS_H

#include "base/list.h"
#include "merge/tables/block.h"
#include "merge/track/facts.h"
#include "sink/perfetto/names.h"

// X(COUNTER, name, unit, axis)   counters with the same axis are drawn to the same scale
#define TP_PERFETTO_COUNTERS(X)                                                         \
    X(RUNNING, "goroutines running", COUNTER_COUNTS, "goroutines")                      \
    X(RUNNABLE, "goroutines runnable", COUNTER_COUNTS, "goroutines")                    \
    X(WAITING, "goroutines waiting", COUNTER_COUNTS, "goroutines")                      \
    X(SYSCALL, "goroutines in system calls", COUNTER_COUNTS, "goroutines")              \
    X(PROCS_USED, "Ps in use", COUNTER_COUNTS, "Ps")                                    \
    X(PROCS, "GOMAXPROCS", COUNTER_COUNTS, "Ps")                                        \
    X(HEAP, "heap", COUNTER_BYTES, "heap")                                              \
    X(GOAL, "heap goal", COUNTER_BYTES, "heap")
enum tp_perfetto_counter_id {
#define TP_X(counter, name, unit, axis) TP_PERFETTO_COUNTER_##counter,
    TP_PERFETTO_COUNTERS(TP_X)
#undef TP_X
    TP_PERFETTO_COUNTER_COUNT
};

// Length of a window at first. The most values that are held.
#define TP_PERFETTO_WINDOW_NS 100000
#define TP_PERFETTO_HELD_MAX 65536

struct tp_perfetto_point {
    int64_t time_ns;
    int64_t value;
    uint32_t counter;
};
// A counter in its current window.
struct tp_perfetto_level {
    int64_t value;
    int64_t window;          // number of the window
    int64_t peak, peak_ns;   // peak_ns is that of the first time
    int64_t last_ns;
    bool is_open;            // it has changed in the window
};

// A zeroed object is the beginning.
struct tp_perfetto_counters {
    struct tp_perfetto_level levels[TP_PERFETTO_COUNTER_COUNT];
    // To be added to all values: goroutines and Ps that were announced.
    int64_t base[TP_PERFETTO_COUNTER_COUNT];
    int64_t window_ns;       // 0: none has begun
    int64_t begin_ns;        // of the trace
    uint64_t first_generation;
    bool has_ended_first;    // the first generation has ended
    TP_LIST(struct tp_perfetto_point) points; // that are not written yet
};

void tp_perfetto_counters_fini(struct tp_perfetto_counters *c);
// Writes the descriptions of the tracks of all counters.
int tp_perfetto_counters_begin(struct tp_perfetto_names *n, struct tp_error *err) TP_MUST_USE;
// Adds a block, and writes the values of the windows that it closes.
int tp_perfetto_counters_add(struct tp_perfetto_counters *c, struct tp_perfetto_names *n,
                             const struct tp_block *b, struct tp_error *err) TP_MUST_USE;
// Writes the values that are left.
int tp_perfetto_counters_end(struct tp_perfetto_counters *c, struct tp_perfetto_names *n,
                             struct tp_error *err) TP_MUST_USE;

#endif
