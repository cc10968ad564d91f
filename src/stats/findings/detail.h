// Finds the details of findings in the totals of a run: a stack of the culprit, and the functions
// that waited for it. Judges name places only; the stacks and waits behind a place are found here
// when a report shows them. They are those of all inputs of the run, also of those without the finding.
//
// Borrows the totals and the fleet, which must not change meanwhile. The result depends on what is
// in the totals only, not on the order in which it came there.
#ifndef TP_STATS_FINDINGS_DETAIL_H
#define TP_STATS_FINDINGS_DETAIL_H

#include "stats/findings/fleet.h"

// Stands beside enum tp_stack_type for stacks of events that ended a wait.
#define TP_DETAIL_WAKER TP_STACK_TYPE_COUNT

// Waits in one function for the lock of a finding, or on a channel those that its culprit ended.
struct tp_detail_waiter {
    struct tp_source_place place; // with the line that has most of them
    struct tp_dist waits;         // owned
};

// The details of one row of a fleet.
struct tp_detail {
    // The stack with the longest times of those that have the culprit's function and line:
    // the place that a finding would name or, if there is no such stack, any frame.
    uint32_t stack;      // a number of s->stacks; TP_INTERN_NONE: none is known
    unsigned stack_type; // enum tp_stack_type, or TP_DETAIL_WAKER
    bool is_other_stack; // it has the function, but the finding was not judged by such stacks
    TP_LIST(struct tp_detail_waiter) waiters; // the row's victims, then the longest time first; owned
};

// The details of all rows, in the order of the fleet. Owns them; tp_details_fini frees them.
struct tp_details {
    TP_LIST(struct tp_detail);
};

// Finds the details of all rows in one walk over the totals. Fails with TP_E_MEMORY; *ret is then
// empty.
int tp_details_make(const struct tp_totals *s, const struct tp_fleet *fleet, struct tp_details *ret,
                    struct tp_error *err) TP_MUST_USE;
// Frees the details, which are then empty. Accepts zeroed ones.
void tp_details_fini(struct tp_details *d);

#endif
