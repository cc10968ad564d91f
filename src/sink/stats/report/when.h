// When something was, in the one form that all parts of the report have.
#ifndef TP_SINK_STATS_REPORT_WHEN_H
#define TP_SINK_STATS_REPORT_WHEN_H

#include "sink/print/shorten.h"
#include "sink/stats/report/report.h"
#include "stats/figures/moment.h"

// A moment by both clocks. A plain value.
struct tp_when {
    uint64_t since_ns; // since the trace began; TP_NO_MOMENT: not known
    int64_t wall_ns;   // of Unix time, or TP_NO_WALL_NS
};

// Returns when a moment of the totals was. Of several traces only the wall clock is known: a maximum
// does not say which trace has it.
struct tp_when tp_full_when(const struct tp_full_report *r, uint64_t moment);
// Returns when the longest of these durations began.
TP_INLINE struct tp_when tp_full_when_longest(const struct tp_full_report *r, const struct tp_dist *d)
{
    return tp_full_when(r, d->max_ns > 0 ? d->max_at : TP_NO_MOMENT);
}
TP_INLINE bool tp_when_is_known(struct tp_when when)
{
    return when.since_ns != TP_NO_MOMENT || when.wall_ns != TP_NO_WALL_NS;
}

// Returns the moment as text: the time since the trace began as --from takes it, and the time by the
// wall clock in parentheses, or alone; empty if neither is known.
struct tp_when_text {
    char text[TP_WALL_MAX_BYTES + 32];
};
struct tp_when_text tp_full_when_text(const struct tp_full_report *r, struct tp_when when);
// Puts `before` and the moment on the line; without room for the wall clock only the time since the trace
// began, and without room for that nothing.
void tp_full_line_when(struct tp_line *l, const struct tp_full_report *r, const char *before,
                       struct tp_when when);

#endif
