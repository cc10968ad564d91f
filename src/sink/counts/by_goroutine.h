// The sink `footprint` with the option by=: which goroutines filled the trace, by start function or
// individually.
#ifndef TP_SINK_COUNTS_BY_GOROUTINE_H
#define TP_SINK_COUNTS_BY_GOROUTINE_H

#include "sink/sink.h"

enum tp_footprint_by { TP_FOOTPRINT_BY_EVENT, TP_FOOTPRINT_BY_FUNCTION, TP_FOOTPRINT_BY_GOROUTINE };
enum tp_footprint_format { TP_FOOTPRINT_TEXT, TP_FOOTPRINT_CSV, TP_FOOTPRINT_JSONL };

// The options of the sink.
struct tp_footprint_config {
    int by;        // enum tp_footprint_by
    int format;    // enum tp_footprint_format; not TEXT and `top` not 0 only if `by` is not EVENT
    int64_t top;   // rows of functions or goroutines; 0: TP_FOOTPRINT_TOP
};
#define TP_FOOTPRINT_TOP 20

// Sets the plan of the sink; config->by is not TP_FOOTPRINT_BY_EVENT.
void tp_footprint_plan_by(const struct tp_footprint_config *config, struct tp_sink_plan *plan);

#endif
