// Selects spans of goroutine states by goroutine, task and start function: the options that several sinks share.
#ifndef TP_SINK_SPAN_FILTER_H
#define TP_SINK_SPAN_FILTER_H

#include <string.h>

#include "base/text/opts.h"
#include "tracepipe/span.h"

// The first member of a sink's config, so that the options find it.
struct tp_span_filter {
    int64_t goroutine; // -1: all
    int64_t task;      // 0: all
    char function[TP_OPT_TEXT_MAX_BYTES + 1];
};
#define TP_SPAN_FILTER_ALL {.goroutine = -1}

// Rows of a table of options.
#define TP_SPAN_FILTER_OPTIONS                                                          \
    TP_OPTION_INT(struct tp_span_filter, goroutine, 0, INT64_MAX, "only this goroutine"), \
    TP_OPTION_INT(struct tp_span_filter, task, 1, INT64_MAX, "only this task, by its id"), \
    TP_OPTION_TEXT(struct tp_span_filter, function, NULL,                               \
                   "only goroutines with this text in their function")

// Returns whether all options that are given select the span. `t`: the tables of its block.
TP_INLINE bool tp_span_filter_takes(const struct tp_span_filter *f, const struct tp_state_span *s,
                                    const struct tp_tables *t)
{
    if ((f->goroutine != -1 && s->goroutine != f->goroutine) ||
        (f->task != 0 && s->task != (uint64_t)f->task))
        return false;
    if (f->function[0] == '\0')
        return true;
    struct tp_text function = tp_state_span_function(s, t);
    return memmem(function.ptr, function.len_bytes, f->function, strlen(f->function)) != NULL;
}

#endif
