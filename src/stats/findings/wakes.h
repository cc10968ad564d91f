// Walks the waits that a goroutine ended (TP_SPACE_WAKE), by pair and reason, with the time for
// which the waker is to blame. Borrows the totals, which must not change during a walk.
#ifndef TP_STATS_FINDINGS_WAKES_H
#define TP_STATS_FINDINGS_WAKES_H

#include "stats/totals.h"

// Reasons of waits that findings look at.
enum tp_wake_reason {
    TP_WAKE_SYNC,    // for a lock, and for others of package sync
    TP_WAKE_SEND,
    TP_WAKE_RECEIVE,
    TP_WAKE_SELECT,
    TP_WAKE_OTHER
};

// The waits of one pair and reason.
struct tp_wake {
    const struct tp_totals_pair *pair;
    enum tp_wake_reason reason;
    const struct tp_dist *blocked;
    tp_wide blamed_ns; // of all reasons of the pair; at most the blocked time
};

// A walk. Initialize with {.s = ...}.
struct tp_wakes {
    const struct tp_totals *s;
    uint32_t next_group;
    struct tp_durations_walk walk;   // of the group before next_group
    bool is_in_group;
};

// Sets *ret_wake to the next waits. False: there are no more. Waits of pairs that were not kept are
// left out.
bool tp_wakes_next(struct tp_wakes *w, struct tp_wake *ret_wake);

#endif
