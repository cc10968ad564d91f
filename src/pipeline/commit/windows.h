// Compares the time windows of all inputs. Used in input order, by the commit strand of the input
// that has the turn, and by the admission strand after the last input.
#ifndef TP_PIPELINE_COMMIT_WINDOWS_H
#define TP_PIPELINE_COMMIT_WINDOWS_H

#include "base/time/wall.h"
#include "pipeline/core/order_report.h"

// The windows of the inputs so far. Owns nothing; zeroed at first.
struct tp_windows {
    uint64_t input_count;   // inputs in which a window has a place
    struct tp_window first; // of the first one
    uint64_t event_count;   // events in the windows
    uint64_t wall_count;    // inputs that know the time of day
    // The earliest beginning and the latest end of the inputs that know the time of day, as far as
    // these were read.
    struct tp_wall begin, end;
    int64_t longest_ns; // of the longest input, as far as it was read
    bool is_cut;        // an input was not read to its end
};

// Adds an input whose ordering has ended; does nothing if it has no window. TP_E_USAGE: a time of
// day is another moment than in the inputs before; the text names both, in zone `z`. Outputs that
// were written by then remain, except those that all inputs share.
int tp_windows_add(struct tp_windows *w, const struct tp_order_report *report,
                   const struct tp_zone *z, struct tp_error *err) TP_MUST_USE;

#define TP_WINDOWS_TEXT_BYTES 320

// Whether there are windows, and no event of any input is in one. True: writes a message that says
// so, and from when until when the inputs last, into `text`, which has TP_WINDOWS_TEXT_BYTES.
bool tp_windows_are_empty(const struct tp_windows *w, const struct tp_zone *z, char *text);

#endif
