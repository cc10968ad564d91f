// Log lines of a task: what the program wrote with trace.Log. The first ones are kept of each task,
// with the beginning of each text.
#ifndef TP_STATS_FIGURES_LOG_LINES_H
#define TP_STATS_FIGURES_LOG_LINES_H

#include "base/attr.h"
#include "base/span.h"

// Number of lines kept of each task.
#define TP_LOG_LINES_MAX 3
// Maximum length of what is kept of a text.
#define TP_LOG_TEXT_BYTES 200

// A text of a log line, or its beginning.
struct tp_log_text {
    uint32_t name;           // a number of the totals' `names`; in sums: a reference
    uint32_t left_out_bytes; // of the end of the text
};
struct tp_log_line {
    uint64_t after_ns;       // since the task began; at most its duration
    struct tp_log_text category, message;
};
// The first lines of a task, in order; a plain value.
struct tp_log_lines {
    uint32_t count;
    struct tp_log_line items[TP_LOG_LINES_MAX];
};

// Returns the beginning of a text that is kept: all of it, or at most TP_LOG_TEXT_BYTES, which do
// not end within a rune.
struct tp_span tp_log_text_kept(struct tp_span text);

#endif
