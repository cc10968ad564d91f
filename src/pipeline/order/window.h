// The time window of a run on one input: [from, to) in nanoseconds of the trace, and which
// generations the window needs. These functions keep no state.
#ifndef TP_PIPELINE_ORDER_WINDOW_H
#define TP_PIPELINE_ORDER_WINDOW_H

#include "base/err.h"
#include "merge/tables/generation.h"
#include "pipeline/core/settings.h"

struct tp_pending;

// A window in the times of one trace.
struct tp_window {
    bool is_set;
    int64_t from_ns;
    int64_t to_ns;
};

// Fails with TP_E_USAGE if the window ends before it begins, as far as the options alone show that.
int tp_window_check(const struct tp_window_args *args, struct tp_error *err) TP_MUST_USE;

// Translates the options to times of a trace. `first` is the first generation of the input; NULL:
// an older trace, whose times begin at 0. TP_E_ORDER: the window is given as times of day, and the
// trace has none.
int tp_window_resolve(const struct tp_window_args *args, const struct tp_generation *first,
                      uint64_t frequency, struct tp_window *ret_window,
                      struct tp_error *err) TP_MUST_USE;

// Returns the time of the generation's last event, before the order makes times rise. Needs no
// tables, but reads the last batch of each thread. INT64_MAX: a batch could not be read. Call after
// tp_pending_set_windows.
int64_t tp_pending_end_ns(struct tp_pending *h);

// Return whether the window begins after the end of the generation, which is complete, and whether
// the window ends before the generation begins. The first answer is false if batch headers alone do
// not show it.
bool tp_window_begins_after(const struct tp_window *w, const struct tp_generation *g,
                        uint64_t frequency);
bool tp_window_ends_before(const struct tp_window *w, const struct tp_generation *g,
                         uint64_t frequency);
// As tp_window_begins_after, but reads the last events if the headers do not suffice.
bool tp_window_begins_after_pending(const struct tp_window *w, struct tp_pending *h);

#endif
