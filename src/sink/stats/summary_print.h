// Prints a summary as JSON lines: goroutines by id, tasks by id, the totals. Keys are sorted,
// times are in nanoseconds. A name that is not UTF-8 becomes {"hex":"..."}, such a key
// becomes "hex:...".
#ifndef TP_SINK_STATS_SUMMARY_PRINT_H
#define TP_SINK_STATS_SUMMARY_PRINT_H

#include "sink/print/emit.h"
#include "stats/summary/summary.h"

// To be called once, after tp_summary_finish. Fails as tp_sorter_next does; errors of the
// emitter stay in the emitter.
int tp_summary_print(struct tp_summary *s, bool is_complete, struct tp_emit *e,
                     struct tp_error *err) TP_MUST_USE;

#endif
