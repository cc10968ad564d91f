// The measures by which hosts are compared: the values of the findings, and those of the table below. All
// are integers, so medians are exact, in whatever order and grouping inputs were added.
#ifndef TP_STATS_HOSTS_MEASURES_H
#define TP_STATS_HOSTS_MEASURES_H

#include "stats/hosts/hosts.h"

// Units of values: thousandths of goroutines and of Ps, bytes, events per second, nanoseconds; of the
// findings millionths of the kind's unit.
enum tp_measure_unit {
    TP_UNIT_GOROUTINES,
    TP_UNIT_PS,
    TP_UNIT_BYTES,
    TP_UNIT_PER_SECOND,
    TP_UNIT_NS,
    TP_UNIT_OF_FINDING
};

// A host differs in a measure only from so much on: by `least` of its unit, and by the factor `least_percent`
// of the fleet's median. If `is_two_sided`, it may be too small as well, and neither is bad in itself. Two
// fleets differ from `least_change` of the unit on.
// X(MEASURE, key, label, unit, least, least_percent, is_two_sided, least_change)
#define TP_HOST_MEASURES(X)                                                                    \
    X(RUNNABLE, "runnable", "RUNNABLE", GOROUTINES, 1000, 300, false, 100)                     \
    X(BLOCKED, "blocked", "BLOCKED", GOROUTINES, 5000, 200, false, 500)                        \
    X(GROWTH, "blocked_growth", "GROWING", GOROUTINES, 10000, 200, false, 5000)                \
    X(HEAP, "heap_bytes", "HEAP", BYTES, 67108864, 300, false, 8388608)                        \
    X(PS_USED, "ps_used", "BUSY", PS, 500, 400, true, 100)                                     \
    X(EVENTS, "events_per_second", "EVENTS", PER_SECOND, 50000, 1000, true, 5000)              \
    TP_TOP_MEASURES(X)
// Those of a task, a region, or a function in which goroutines wait, the columns as above. Hosts are not
// compared with each other by the last one.
#define TP_TOP_MEASURES(X)                                                                     \
    X(TASK_P50, "task_p50", "SLOW", NS, 1000000, 150, false, 100000)                           \
    X(TASK_P99, "task_p99", "SLOW TAIL", NS, 5000000, 300, false, 500000)                      \
    X(REGION_P50, "region_p50", "SLOW", NS, 1000000, 150, false, 100000)                       \
    X(REGION_P99, "region_p99", "SLOW TAIL", NS, 5000000, 300, false, 500000)                  \
    X(WAIT, "wait", "BLOCKED", GOROUTINES, 5000, 200, false, 100)                              \
    X(TASK_RATE, "task_rate", "RATE", PER_SECOND, 20, 200, true, 2)

// A measure is a kind of finding, or TP_FINDS_COUNT + one of the table.
enum tp_host_measure {
    TP_HOST_FIRST = TP_FINDS_COUNT - 1,
#define TP_X(measure, key, label, unit, least, least_percent, is_two_sided, least_change)      \
    TP_HOST_##measure,
    TP_HOST_MEASURES(TP_X)
#undef TP_X
    TP_HOST_MEASURE_COUNT,
    TP_HOST_TOP_FIRST = TP_HOST_TASK_P50,
    TP_HOST_TOP_END = TP_HOST_TASK_RATE // of those by which hosts are compared with each other
};

// A row of the table above; of a finding, made of its own table.
struct tp_measure_info {
    const char *key, *label;
    enum tp_measure_unit unit;
    uint64_t least;
    unsigned least_percent;
    bool is_two_sided;
    uint64_t least_change;
};
struct tp_measure_info tp_measure_info(enum tp_host_measure measure);
// Returns how many standard deviations, in thousandths, a normal value exceeds with probability
// 1 / `tests` at most.
uint64_t tp_deviations_for(uint64_t tests);
TP_INLINE bool tp_is_of_finding(enum tp_host_measure measure)
{
    return (unsigned)measure < TP_FINDS_COUNT;
}
// Whether lost events falsify the measure: a P or a goroutine whose last event is lost keeps its state.
TP_INLINE bool tp_needs_whole(enum tp_host_measure measure)
{
    return measure == TP_HOST_PS_USED || measure == TP_HOST_GROWTH || measure == TP_HOST_EVENTS;
}
// Whether the measure is that of a task, a region or a wait, and so has a name.
TP_INLINE bool tp_is_top_measure(enum tp_host_measure measure)
{
    return measure >= TP_HOST_TOP_FIRST;
}

// A measure with the name of a task, a region or a function, which those of tops need.
struct tp_named_measure {
    enum tp_host_measure measure;
    struct tp_span name; // empty: the measure is not of a top
};
// Reads KEY or, of tops, KEY:NAME; borrows the name. Fails with TP_E_USAGE, whose text has the nearest key.
int tp_measure_parse(const char *text, struct tp_named_measure *ret, struct tp_error *err) TP_MUST_USE;

// The sum of the tasks, regions or waits of one name in the inputs of a host.
struct tp_host_top {
    enum tp_top_kind kind;
    uint32_t name;       // a number of the totals' `names`
    uint32_t host;       // index in the list of hosts
    const struct tp_file_top *longest; // of the input in which they took most time
    uint64_t count;
    tp_wide p50_sum, p99_sum; // times the count of each input
    tp_wide total_ns;
};

// Returns the sum of one input.
TP_INLINE struct tp_host_top tp_host_top_of(enum tp_top_kind kind, uint32_t host,
                                            const struct tp_file_top *top)
{
    return (struct tp_host_top){.kind = kind,
                                .name = top->name,
                                .host = host,
                                .longest = top,
                                .count = top->count,
                                .p50_sum = (tp_wide)top->p50_ns * top->count,
                                .p99_sum = (tp_wide)top->p99_ns * top->count,
                                .total_ns = top->total_ns};
}

// Returns which kind of tops has the measure, which is that of a top.
enum tp_top_kind tp_top_kind_of(enum tp_host_measure measure);
// Returns the value of a measure that is not of a top; of findings the greatest of the host's inputs.
uint64_t tp_host_value(const struct tp_host *h, enum tp_host_measure measure);
// Whether the host has a value of the measure: a kind of finding was judged in one of its inputs.
bool tp_host_has_value(const struct tp_host *h, enum tp_host_measure measure);
// Sets *ret_value to the value of a measure of a top. False: it has too few tasks or regions, or another kind.
bool tp_host_top_value(const struct tp_host *h, const struct tp_host_top *top,
                       enum tp_host_measure measure, uint64_t *ret_value) TP_MUST_USE;

// Sets *ret_value to the value of a measure in one input. False: the input does not have it.
bool tp_row_value(const struct tp_totals *s, const struct tp_file_row *row,
                  const struct tp_named_measure *measure, uint64_t *ret_value) TP_MUST_USE;

#endif
