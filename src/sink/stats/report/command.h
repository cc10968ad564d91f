// The commands that the report prints, in the form in which a shell reads them. They keep the options
// that decide what is read of an input. The functions borrow their arguments for the call; errors of
// the output stay in the emitter.
#ifndef TP_SINK_STATS_REPORT_COMMAND_H
#define TP_SINK_STATS_REPORT_COMMAND_H

#include "sink/print/shell.h"
#include "sink/stats/report/report.h"

// The options of a time window, with a space behind them.
struct tp_full_window {
    char text[80];
};
// Returns the window from a time since the trace began that has this length, in whole microseconds
// outside of it.
struct tp_full_window tp_full_window_of(int64_t begin_ns, uint64_t ns);

// A command that reads one input with one sink. Borrows its texts.
struct tp_full_command {
    // Options of the command's own time window, which counts from the beginning of the trace, with a
    // space behind them; NULL: the command keeps the window of the report.
    const char *window;
    struct tp_span sink;
    struct tp_span path;
};

// Prints the command or, if it cannot read the input again, the options that a user has to add.
// `mark` stands before a command.
void tp_full_print_command(struct tp_emit *e, const struct tp_full_report *r, const char *mark,
                           const struct tp_full_command *command);
// Puts the command as the JSON field "command"; null if it cannot read the input again.
void tp_full_put_command(struct tp_emit *e, const struct tp_full_report *r,
                         const struct tp_full_command *command);

// Prints the options that decide what is read, each with its value and a space behind it, for
// commands with several inputs; returns the columns that they take.
void tp_full_print_reading(struct tp_emit *e, const struct tp_full_report *r);
unsigned tp_full_reading_columns(const struct tp_full_report *r);

#endif
