// Counts the memory of histograms by looking at each of them.
#ifndef TP_TESTS_HIST_BYTES_H
#define TP_TESTS_HIST_BYTES_H

#include "stats/figures/durations.h"

// Returns what hist_bytes of the durations has to be.
TP_INLINE size_t hist_bytes_of(const struct tp_durations *l)
{
    size_t bytes = 0;
    for (uint32_t i = 0; i < l->groups.count; i++) {
        struct tp_durations_walk walk = {.group = &l->groups.items[i]};
        while (tp_durations_walk_next(&walk))
            bytes += tp_hist_bytes(&walk.dist->hist);
    }
    return bytes;
}

#endif
