// Prints a summary as JSON lines: goroutines by id, tasks by id, the totals; keys in
// order, times in nanoseconds; names that are not UTF-8 as {"hex":"..."}, keys that are
// not as "hex:...".
#ifndef TP_SINK_STATS_SUMMARY_PRINT_H
#define TP_SINK_STATS_SUMMARY_PRINT_H

#include "sink/print/emit.h"
#include "stats/summary/summary.h"

// After tp_summary_finish, once. Fails as tp_sorter_next does; failures of the emitter
// stay there.
int tp_summary_print(struct tp_summary *s, bool is_complete, struct tp_emit *e,
                     struct tp_error *err) TP_MUST_USE;

#endif
