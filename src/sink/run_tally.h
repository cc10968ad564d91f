// Counts a run (scan_v1.h) of a trace from before Go 1.22, for `footprint` and `stats`.
#ifndef TP_SINK_RUN_TALLY_H
#define TP_SINK_RUN_TALLY_H

#include "decode/tally_v1.h"
#include "sink/sink.h"

// Adds the events of `run`, an extent of the unit; every event of a run decodes. `on_ident`
// may be NULL.
struct tp_v1_tally_result tp_run_tally(struct tp_v1_tally *t, const struct tp_unit *unit,
                                       const struct tp_extent *run, tp_v1_ident_fn on_ident,
                                       void *ctx);

#endif
