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
// fleets differ from `least_change` of the unit on. Another GOMAXPROCS is a difference between fleets; of a host that
// differs in something else it may be the cause. `of` is the kind of tops of which it is a measure.
// X(MEASURE, of, key, label, unit, least, least_percent, is_two_sided, least_change)
#define TP_HOST_MEASURES(X)                                                                          \
    X(RUNNABLE, NONE, "runnable", "RUNNABLE", GOROUTINES, 1000, 300, false, 100)                     \
    X(BLOCKED, NONE, "blocked", "BLOCKED", GOROUTINES, 5000, 200, false, 500)                        \
    X(GROWTH, NONE, "blocked_growth", "GROWING", GOROUTINES, 10000, 200, false, 5000)                \
    X(HEAP, NONE, "heap_bytes", "HEAP", BYTES, 67108864, 300, false, 8388608)                        \
    X(PS_USED, NONE, "ps_used", "BUSY", PS, 500, 400, true, 100)                                     \
    X(EVENTS, NONE, "events_per_second", "EVENTS", PER_SECOND, 50000, 1000, true, 5000)              \
    X(PROCS, NONE, "gomaxprocs", "PS", PS, 1000, 200, true, 1000)                                    \
    TP_TOP_MEASURES(X)
// Those of tops: by which hosts are compared with each other, and then by which fleets are, too.
#define TP_TOP_MEASURES(X)                                                                           \
    X(TASK_P50, TASK, "task_p50", "SLOW", NS, 1000000, 150, false, 100000)                           \
    X(TASK_P99, TASK, "task_p99", "SLOW TAIL", NS, 5000000, 300, false, 500000)                      \
    X(REGION_P50, REGION, "region_p50", "SLOW", NS, 1000000, 150, false, 100000)                     \
    X(REGION_P99, REGION, "region_p99", "SLOW TAIL", NS, 5000000, 300, false, 500000)                \
    X(WAIT, WAIT, "wait", "BLOCKED", GOROUTINES, 5000, 200, false, 100)                              \
    X(START_RUNNING, START, "start_running", "BUSY", PS, 500, 400, true, 100)                        \
    X(EVENT_RATE, EVENT, "event_rate", "EVENTS", PER_SECOND, 50000, 1000, true, 5000)                \
    X(TASK_RATE, TASK, "task_rate", "RATE", PER_SECOND, 20, 200, true, 2)                            \
    X(START_RATE, START, "start_rate", "RATE", PER_SECOND, 20, 200, true, 2)                         \
    X(TASK_MEAN, TASK, "task_mean", "SLOW", NS, 1000000, 150, false, 100000)                         \
    X(REGION_MEAN, REGION, "region_mean", "SLOW", NS, 1000000, 150, false, 100000)

// A measure is a kind of finding, or TP_FINDS_COUNT + one of the table.
enum tp_host_measure {
    TP_HOST_FIRST = TP_FINDS_COUNT - 1,
#define TP_X(measure, of, key, label, unit, least, least_percent, is_two_sided, least_change)  \
    TP_HOST_##measure,
    TP_HOST_MEASURES(TP_X)
#undef TP_X
    TP_HOST_MEASURE_COUNT,
    TP_HOST_TOP_FIRST = TP_HOST_TASK_P50,
    TP_HOST_TOP_END = TP_HOST_TASK_RATE // of those by which hosts are compared with each other
};

// A row of the table above; of a finding, made of its own table.
struct tp_measure_info {
    enum tp_top_kind of;
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
// Whether the measure is that of tops, and so has a name.
TP_INLINE bool tp_is_top_measure(enum tp_host_measure measure)
{
    return measure >= TP_HOST_TOP_FIRST;
}
// Whether each host has a value of the measure, however small: what its rows leave away is not above the last one
// that they have.
TP_INLINE bool tp_is_bounded(enum tp_host_measure measure)
{
    return measure == TP_HOST_WAIT || measure == TP_HOST_START_RUNNING || measure == TP_HOST_EVENT_RATE;
}

// A measure with the name of a task, a region, a function or a type of events, which those of tops need.
struct tp_named_measure {
    enum tp_host_measure measure;
    struct tp_span name; // empty: the measure is not of a top
};
// Reads KEY or, of tops, KEY:NAME; borrows the name. Fails with TP_E_USAGE, whose text has the nearest key.
int tp_measure_parse(const char *text, struct tp_named_measure *ret, struct tp_error *err) TP_MUST_USE;

// The tops of one kind and name in the inputs of a host.
struct tp_host_top {
    enum tp_top_kind kind;
    uint32_t name;       // a number of the totals' `names`
    uint32_t host;       // index in the list of hosts
    const struct tp_file_top *longest; // of the input in which they took most time, or were most events
};

// Returns the place of a wait.
TP_INLINE struct tp_source_place tp_top_place(const struct tp_file_top *top)
{
    return (struct tp_source_place){top->name, top->file, top->line};
}
// Returns the place that is to blame for a value: that of the finding, or of the wait; no place: none is known.
TP_INLINE struct tp_source_place tp_measure_culprit(enum tp_host_measure measure, const struct tp_found *found,
                                                    const struct tp_file_top *top)
{
    if (found != NULL)
        return found->culprit;
    return measure == TP_HOST_WAIT ? tp_top_place(top) : (struct tp_source_place)TP_SOURCE_PLACE_NONE;
}

// Returns the value of a measure that is not of a top; of findings the greatest of the host's inputs.
uint64_t tp_host_value(const struct tp_host *h, enum tp_host_measure measure);
// Whether the host has a value of the measure: a kind of finding was judged in one of its inputs.
bool tp_host_has_value(const struct tp_host *h, enum tp_host_measure measure);
// Whether the host can be compared in a measure. Lost events falsify all but findings, and GOMAXPROCS.
bool tp_host_is_comparable(const struct tp_host *h, enum tp_host_measure measure);
// Sets *ret_value to the value of a measure of a top. False: the measure is of another kind, there are too few
// tasks or regions, or an input of the host may have left some away.
bool tp_host_top_value(const struct tp_host *h, const struct tp_host_top *top,
                       enum tp_host_measure measure, uint64_t *ret_value) TP_MUST_USE;
// Returns how many tasks, regions, goroutines or events these are.
uint64_t tp_host_top_count(const struct tp_host *h, const struct tp_host_top *top);
// Whether an input of the host may leave away the top, whose sums are then too small.
bool tp_host_top_is_partial(const struct tp_host *h, const struct tp_host_top *top);
// Sets *ret_ns to the time that a task or region about as long as the median spends in a class. False: there are too
// few tasks or regions.
bool tp_host_top_class_ns(const struct tp_host *h, const struct tp_host_top *top, enum tp_class class,
                          uint64_t *ret_ns) TP_MUST_USE;
// Returns the greatest value that a host may have in a measure that is bounded, of a name that its rows leave away.
uint64_t tp_host_unlisted_value(const struct tp_host *h, enum tp_host_measure measure);

// Sets *ret_value to the value of a measure in one input. False: the input does not have it.
bool tp_row_value(const struct tp_totals *s, const struct tp_file_row *row,
                  const struct tp_named_measure *measure, uint64_t *ret_value) TP_MUST_USE;

#endif
