// Recognises, by the start function, the goroutines of the runtime that do nothing but collect
// garbage. Keeps no state, allocates nothing, and cannot fail; any thread may call it.
#ifndef TP_STATS_NAMES_COLLECTOR_NAME_H
#define TP_STATS_NAMES_COLLECTOR_NAME_H

#include "base/span.h"

// Parts of the garbage collector. X(PART, function, key, name): `function` is the start function of
// the part's goroutines, `key` is the key of their running time in JSON, `name` is their name in
// text output.
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

// Returns the part of the collector whose goroutines have this start function;
// TP_COLLECTOR_PART_COUNT if there is none.
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
