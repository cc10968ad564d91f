// Finds the place of the time window in one input, [from, to) in nanoseconds of the trace, and the
// generations that the window needs. These functions keep no state. Functions of a pending
// generation are called on the strand or worker that has it (see pending.h), and may wait for the
// disk.
#ifndef TP_PIPELINE_ORDER_WINDOW_H
#define TP_PIPELINE_ORDER_WINDOW_H

#include "base/err.h"
#include "merge/tables/generation.h"
#include "pipeline/core/order_report.h"
#include "pipeline/core/settings.h"

struct tp_pending;

// Translates the options to times of a trace; call after tp_settings_load_zone. `first` is the
// first generation of the input; NULL: an older trace, whose times begin at 0. TP_E_ORDER: the
// window is given as times of day, and the trace has none; *ret_window is unchanged.
int tp_window_resolve(const struct tp_settings *s, const struct tp_generation *first,
                      uint64_t frequency, struct tp_window *ret_window,
                      struct tp_error *err) TP_MUST_USE;

// Returns the time of the generation's last event as the trace gives it, in ns: putting events in
// order may delay it. Needs no tables, but reads the last batch of each thread. INT64_MAX: a batch
// could not be read. Call after tp_pending_set_windows.
int64_t tp_pending_end_ns(struct tp_pending *h);

// Whether the window begins after the end of a complete generation, as far as batch headers show
// that. `frequency` is in clock units per second.
bool tp_window_begins_after(const struct tp_window *w, const struct tp_generation *g,
                        uint64_t frequency);
// Whether the window ends before the generation begins.
bool tp_window_ends_before(const struct tp_window *w, const struct tp_generation *g,
                         uint64_t frequency);
// Does the same as tp_window_begins_after, but reads the last events if the headers do not suffice.
// True: *ret_end_ns is the end of the generation, as far as headers or events show it.
bool tp_window_begins_after_pending(const struct tp_window *w, struct tp_pending *h,
                                    int64_t *ret_end_ns);

#endif
