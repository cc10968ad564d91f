// Compares the time windows of all inputs. Used in input order, by the commit strand of the input
// that has the turn.
#ifndef TP_PIPELINE_COMMIT_WINDOWS_H
#define TP_PIPELINE_COMMIT_WINDOWS_H

#include "base/time/zone.h"
#include "pipeline/core/order_report.h"

// The windows of the inputs so far. Owns nothing; zeroed at first.
struct tp_windows {
    uint64_t input_count;   // inputs in which a window has a place
    struct tp_window first; // of the first one
};

// Adds an input whose ordering has ended; does nothing if it has no window. TP_E_USAGE: a time of
// day is on another day than in the inputs before; the text names both, in zone `z`.
int tp_windows_add(struct tp_windows *w, const struct tp_order_report *report,
                   const struct tp_zone *z, struct tp_error *err) TP_MUST_USE;

#endif
