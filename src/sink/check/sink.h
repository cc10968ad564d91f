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

#endif
