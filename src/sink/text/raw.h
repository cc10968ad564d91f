// Declarations that the two plans of the sink `raw` share.
#ifndef TP_SINK_TEXT_RAW_H
#define TP_SINK_TEXT_RAW_H

#include "sink/sink.h"

// The option `version`: the Go release whose wire format the sink writes. AS_IT_IS: the bytes of
// the input.
enum tp_raw_version { TP_RAW_AS_IT_IS = -1, TP_RAW_GO_1_26 };

// The sink ends a generation that it writes anew after this many bytes of events: readers
// hold one generation at a time.
#define TP_RAW_GENERATION_BYTES TP_MIB(8)

// The options of `raw`.
struct tp_raw_config {
    int version; // enum tp_raw_version
    uint64_t generation_bytes; // for tests; no option
};

// Suffix of outputs of both plans.
#define TP_RAW_SUFFIX ".raw"

// The plan of `raw` with the option `version` (raw_upgraded.c). It lacks the hooks of units, which
// both plans of `raw` share (raw.c).
extern const struct tp_sink_plan tp_raw_upgraded_plan;

#endif
