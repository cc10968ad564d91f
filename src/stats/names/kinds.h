// The kinds of findings, each with its unit, threshold, and what it is weighed against. The manual
// tracepipe-stats(7), section FINDINGS, has the formulas. Constant; any thread may use it.
#ifndef TP_STATS_NAMES_KINDS_H
#define TP_STATS_NAMES_KINDS_H

#include <stdint.h>

// Units of the values of findings. X(UNIT, name)
#define TP_FINDING_UNITS(X)                                                                     \
    X(GOROUTINES, "goroutines")     /* on average over the time of the trace */         \
    X(CPU_TIME, "share of CPU time") /* of the time for which goroutines ran */        \
    X(PER_P, "goroutines per P")                                                        \
    X(PER_SECOND, "goroutines per second")                                              \
    X(MS, "milliseconds")                                                               \
    X(TIMES, "times the median")

enum tp_finding_unit {
#define TP_X(unit, name) TP_FINDING_UNIT_##unit,
    TP_FINDING_UNITS(TP_X)
#undef TP_X
};

// The kinds; the order decides between findings of equal importance. State files have the keys, so
// a key never changes. X(KIND, key, unit, threshold in millionths of the unit, title)
#define TP_FINDING_KINDS(X)                                                             \
    X(LOCK, "lock", GOROUTINES, 35000, "Lock contention")                               \
    X(GC, "gc", CPU_TIME, 250000, "GC pressure")                                        \
    X(SYSCALL, "syscall", GOROUTINES, 120000, "Slow system calls")                      \
    X(FEW_PS, "few_ps", PER_P, 700000, "Not enough Ps")                                 \
    X(LEAK, "leak", PER_SECOND, 8000000, "Goroutine leak")                              \
    X(P_HOG, "p_hog", MS, 45000000, "Goroutine hogs a P")                               \
    X(SCHED_LATENCY, "sched_latency", MS, 18000000, "High scheduling latency")          \
    X(CHANNEL, "channel", GOROUTINES, 1200000, "Slow channel")                          \
    X(STOP_THE_WORLD, "stop_the_world", MS, 5000000, "Long stop-the-world pause")       \
    X(SLOW_TASK, "slow_task", TIMES, 5000000, "Slow tail")                              \
    X(POOL, "pool", GOROUTINES, 1200000, "Pool exhausted")

enum tp_finding_kind {
#define TP_X(kind, key, unit, threshold_ppm, title) TP_FINDS_##kind,
    TP_FINDING_KINDS(TP_X)
#undef TP_X
    TP_FINDS_COUNT,
    TP_FINDS_NONE = TP_FINDS_COUNT
};

// A row of the table above.
struct tp_finding_kind_info {
    const char *key;
    enum tp_finding_unit unit;
    uint64_t threshold_ppm;
    const char *title;
};
// Indexed by enum tp_finding_kind.
extern const struct tp_finding_kind_info tp_finding_kinds[TP_FINDS_COUNT];
// Returns the name of a unit.
const char *tp_finding_unit_name(enum tp_finding_unit unit);

// In place of a value: the kind was not judged.
#define TP_VALUE_NONE UINT64_MAX

#endif
