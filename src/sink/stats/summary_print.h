// Prints a summary as JSON lines: goroutines by id, tasks by id, the totals. Keys are sorted,
// times are in nanoseconds. A name that is not UTF-8 becomes {"hex":"..."}, such a key
// becomes "hex:...".
#ifndef TP_SINK_STATS_SUMMARY_PRINT_H
#define TP_SINK_STATS_SUMMARY_PRINT_H

#include "sink/print/emit.h"
#include "stats/summary/summary.h"

// Prints the summary. Call it once, after tp_summary_finish, because it consumes the items. Keeps
// no argument; `s` remains the caller's to free, also after a failure. `is_complete` is printed in
// the totals. May block on a disk. Fails as tp_sorter_next does; errors of the output stay in the
// emitter. One thread at a time.
int tp_summary_print(struct tp_summary *s, bool is_complete, struct tp_emit *e,
                     struct tp_error *err) TP_MUST_USE;

#endif
