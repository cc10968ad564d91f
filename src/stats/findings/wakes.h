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

// The waits for a lock, of one pair.
struct tp_lock_wait {
    struct tp_wake wake;
    uint32_t function; // where it waited
    uint32_t lock;     // all waits for one lock have the same number
};

// All waits for locks, those for one lock together. Owns them; the caller frees `items`.
struct tp_lock_waits {
    TP_LIST(struct tp_lock_wait);
};

// Collects the waits for locks, without those for sync.Once. A trace has no addresses of locks, so waits are
// joined by place: two pairs of a wait and its wake belong to one lock if their waits are in one function, or if
// one waits in the function that wakes the other. False: out of memory; *ret is to be freed all the same.
bool tp_lock_waits_make(const struct tp_totals *s, struct tp_lock_waits *ret) TP_MUST_USE;
// Returns the index behind the last wait for the lock of the wait at `first`.
uint32_t tp_lock_waits_end(const struct tp_lock_waits *l, uint32_t first);

#endif
