// Moments of maxima: when the longest of some durations began. A moment has 64 bits, so that it fits
// beside each maximum:
//
//   while an input is read   ns on the clock of the trace
//   afterwards               below TP_MOMENT_OF_TRACE: ns of Unix time
//                            from TP_MOMENT_OF_TRACE on: that, and ns since the trace began, because the
//                            trace does not tell the time of day
//   always                   TP_NO_MOMENT: not known
//
// Maxima of several parts are merged by one rule: the greater one wins with its moment, and of equal
// ones the earlier moment, as the numbers are ordered. So the result does not depend on order and
// grouping. Only Unix time can be compared between traces: a caller that reads a moment without it must
// know that the totals have one trace.
#ifndef TP_STATS_FIGURES_MOMENT_H
#define TP_STATS_FIGURES_MOMENT_H

#include "base/time/wall.h"

#define TP_NO_MOMENT UINT64_MAX
#define TP_MOMENT_OF_TRACE (UINT64_C(1) << 63)

// The time at which an input begins, on its clock and by that of the wall. A plain value.
struct tp_trace_zero {
    int64_t begin_ns;    // on its clock
    bool has_wall;       // the next member is set
    struct tp_wall wall; // at begin_ns
};

// Returns the moment of a time on the clock of the trace that has been read. A time before the trace
// began, which only damaged traces have, is not known.
TP_INLINE uint64_t tp_as_moment(int64_t clock_ns, const struct tp_trace_zero *zero)
{
    int64_t since_ns, wall_ns = 0;
    if (__builtin_sub_overflow(clock_ns, zero->begin_ns, &since_ns) || since_ns < 0)
        return TP_NO_MOMENT;
    if (zero->has_wall && tp_wall_ns(tp_wall_after(zero->wall, since_ns), &wall_ns) && wall_ns >= 0)
        return (uint64_t)wall_ns;
    return since_ns < INT64_MAX ? TP_MOMENT_OF_TRACE + (uint64_t)since_ns : TP_NO_MOMENT;
}

#endif
