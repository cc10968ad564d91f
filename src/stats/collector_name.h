// Recognises goroutines of the runtime that only collect garbage, by their start function. Pure;
// any thread.
#ifndef TP_STATS_COLLECTOR_NAME_H
#define TP_STATS_COLLECTOR_NAME_H

#include "base/span.h"

// Parts of the collector, each with the start function of its goroutines, the key of their running
// time in JSON, and their name in text. X(PART, function, key, name)
#define TP_COLLECTOR_PARTS(X)                                                           \
    X(MARK, "runtime.gcBgMarkWorker", "mark_worker_running_ns", "mark workers")         \
    X(SWEEP, "runtime.bgsweep", "sweeper_running_ns", "sweeper")                        \
    X(SCAVENGE, "runtime.bgscavenge", "scavenger_running_ns", "scavenger")

enum tp_collector_part {
#define TP_X(part, function, key, name) TP_COLLECTOR_##part,
    TP_COLLECTOR_PARTS(TP_X)
#undef TP_X
    TP_COLLECTOR_PART_COUNT
};

// Returns the part of the collector with this start function; TP_COLLECTOR_PART_COUNT: none.
TP_INLINE enum tp_collector_part tp_collector_part_of(struct tp_span function)
{
#define TP_X(part, text, key, name)                                                                \
    if (tp_span_is(function, text))                                                                \
        return TP_COLLECTOR_##part;
    TP_COLLECTOR_PARTS(TP_X)
#undef TP_X
    return TP_COLLECTOR_PART_COUNT;
}

#endif
