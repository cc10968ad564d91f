// From when until when traces were taken, by the wall clock. Does not depend on the order and
// grouping of traces.
#ifndef TP_STATS_TAKEN_H
#define TP_STATS_TAKEN_H

#include "base/time/wall.h"
#include "base/wide.h"

// A plain value; zeroed: no trace knows the time of day.
struct tp_taken {
    uint64_t file_count;  // traces that know the time of day; the next members are theirs
    struct tp_wall first; // the earliest beginning
    struct tp_wall last;  // the latest end
};

// Adds traces to others.
TP_INLINE void tp_taken_merge(struct tp_taken *into, const struct tp_taken *from)
{
    bool is_first = into->file_count == 0;
    if (from->file_count == 0)
        return;
    if (is_first || tp_wall_is_before(from->first, into->first))
        into->first = from->first;
    if (is_first || tp_wall_is_before(into->last, from->last))
        into->last = from->last;
    into->file_count = tp_add_limited(into->file_count, from->file_count);
}

#endif
