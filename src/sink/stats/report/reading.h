// The options that decide what is read of an input, in the commands that the report prints: with
// them a command reads what this run did. The functions borrow their arguments for the call; errors
// of the output stay in the emitter.
#ifndef TP_SINK_STATS_REPORT_READING_H
#define TP_SINK_STATS_REPORT_READING_H

#include "sink/print/shell.h"
#include "sink/stats/report/report.h"

// Puts each of these options that was given, with its value and a space behind it.
void tp_full_put_reading(struct tp_emit *e, const struct tp_full_report *r, tp_shell_put_fn *put);
// Does the same without the options of the time window, for a command that has a window of its own,
// whose times count from the beginning of the trace.
void tp_full_put_reading_except_window(struct tp_emit *e, const struct tp_full_report *r,
                                       tp_shell_put_fn *put);
// Returns the columns that tp_full_put_reading takes.
unsigned tp_full_reading_columns(const struct tp_full_report *r);

#endif
