// The inner sink that evaluates checks at the end of a run. Users cannot name it.
#ifndef TP_SINK_CHECK_SINK_H
#define TP_SINK_CHECK_SINK_H

#include <stdatomic.h>

#include "sink/check/check.h"
#include "sink/sink.h"
#include "sink/stats/report/options.h"

// The config; the program that adds the sink sets it.
struct tp_check_config {
    struct tp_stats_config stats; // first, as the hooks of stats:level=full have it
    struct tp_checks *checks;     // borrowed for the run
    _Atomic bool *has_failed;     // set if a check does not hold; borrowed for the run
    bool has_output;              // JUnit XML goes to the output of the sink
};

extern const struct tp_sink_def tp_sink_check;

// Makes the sink gather the same as another one of the run, if that gathers what stats:level=full
// does, so that the figures are those of its report. Returns whether it does.
bool tp_check_gather_as(struct tp_check_config *c, const struct tp_sink_plan *plan,
                        const void *other_config);

#endif
