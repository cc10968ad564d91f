// The order strand's end of the order queue: puts generations in order and hands their events out
// in blocks.
#ifndef TP_PIPELINE_ORDER_ORDERING_H
#define TP_PIPELINE_ORDER_ORDERING_H

#include "pipeline/order/queue.h"

struct tp_ordering {
    uint64_t cpu_mark_ns;      // of the thread that runs the strand
    struct tp_order_state order;
    struct tp_pending *current; // being ordered; the queue owns it
    struct tp_account_share share; // of states and cursors in the run's `grown`
    struct tp_order_loss loss; // of `current`, so far
    bool is_broken;            // with strict: the events end here
    bool is_over;              // the window ends here
};

void tp_ordering_init(struct tp_input_run *in); // for each input
void tp_ordering_fini(struct tp_input_run *in); // after each

// One step of the strand, while the input is live.
void tp_ordering_step(struct tp_input_run *in);
// Replaces the order strand for the puller (run/pull.h), which must have retired the block before:
// the next block. NULL: something is missing, or the events have ended; tp_wake_order wakes
// the puller to call again.
struct tp_slot *tp_ordering_pull(struct tp_input_run *in);

#endif
