// The time window of a run on one input: [from, to) in nanoseconds of the trace, and
// which generations it takes to see all of it.
#ifndef TP_PIPELINE_ORDER_WINDOW_H
#define TP_PIPELINE_ORDER_WINDOW_H

#include "base/err.h"
#include "merge/tables/generation.h"
#include "pipeline/core/settings.h"

struct tp_pending;

struct tp_window {
    bool is_set;
    int64_t from_ns;
    int64_t to_ns;
};

// TP_E_USAGE: it ends before it begins, as far as that can be told without a trace.
int tp_window_check(const struct tp_window_args *args, struct tp_error *err) TP_MUST_USE;

// `first` is the first generation of the input; NULL: an older trace, whose times begin at 0.
// TP_E_ORDER: the window is given as times of day, and the trace has none.
int tp_window_resolve(const struct tp_window_args *args, const struct tp_generation *first,
                      uint64_t frequency, struct tp_window *ret_window,
                      struct tp_error *err) TP_MUST_USE;

// After tp_pending_set_windows. Time of the generation's last event, before the order makes times
// rise; needs no tables.
int64_t tp_pending_end_ns(struct tp_pending *h);

// Whether the window begins after the end of the generation, which is complete, and
// whether it ends before the generation begins. Batch headers alone do not always tell the
// former; then it is false.
bool tp_window_begins_after(const struct tp_window *w, const struct tp_generation *g,
                        uint64_t frequency);
bool tp_window_ends_before(const struct tp_window *w, const struct tp_generation *g,
                         uint64_t frequency);
// As tp_window_begins_after, but reads the events where the headers do not tell.
bool tp_window_begins_after_pending(const struct tp_window *w, struct tp_pending *h);

#endif
