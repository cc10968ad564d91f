// Finds which event of an older trace answers which earlier event, as the parser of that time links
// them (Event.Link of internal/trace of Go 1.20 and 1.21, and of before Go 1.5): an end answers its
// begin, a wake-up the block of its goroutine, and a start what made the goroutine runnable. No
// event is answered twice, and no event shows whether it will be answered, so a link is found at
// its later event. Only events not yet answered are kept, in the check's records of goroutines, Ps,
// tasks and regions.
//
// Events are known by their places, numbers from 1 on that the owner gives them. Belongs to one
// thread at a time. The state before the first event has the first three members set and is zero
// otherwise; nothing has to be freed.
#ifndef TP_MERGE_V1_LINKS_H
#define TP_MERGE_V1_LINKS_H

#include "merge/v1/validate.h"

// The state of one walk.
struct tp_v1_links {
    struct tp_v1_check *check;   // is_legacy; borrowed
    // Called for each link: the event being added answers the one at `earlier`. Returns 0, or the
    // code that tp_v1_links_add fails with.
    int (*found)(void *ctx, uint64_t earlier, struct tp_error *err);
    void *ctx;
    uint64_t gc, stw; // places of the beginnings of the open collection and stop; 0: none
};

// Adds the next event, which tp_v1_check has accepted. Stops tracking the task, region or goroutine
// that the event ends. Sets the stack of a goroutine's first start to that of its creation. Fails
// with the error of the callback l->found, or with TP_E_MEMORY; the check's records may then have
// some of the event's changes, and only tp_v1_check_fini may follow.
int tp_v1_links_add(struct tp_v1_links *l, struct tp_v1_ordered *e, uint64_t place, int64_t ns,
                    struct tp_error *err) TP_MUST_USE;

#endif
