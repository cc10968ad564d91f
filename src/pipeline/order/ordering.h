// The order strand's end of the order queue: puts generations in order and hands their events out
// in blocks. All functions are called by the order strand or the puller, unless they say otherwise.
#ifndef TP_PIPELINE_ORDER_ORDERING_H
#define TP_PIPELINE_ORDER_ORDERING_H

#include "pipeline/order/queue.h"

// Part of the order queue and freed with it.
struct tp_ordering {
    uint64_t cpu_mark_ns;      // of the thread that runs the strand
    struct tp_order_state order;
    struct tp_pending *current; // being ordered; the queue owns it
    struct tp_account_share share; // of the order's states and cursors in the run's `grown`
    struct tp_order_loss loss; // of `current`, so far
    bool is_broken;            // the events end here, with an error or as Go's reader ends them
    bool is_over;              // the events end here, because the window does
};

void tp_ordering_init(struct tp_input_run *in); // for each input, on its ingest strand
void tp_ordering_fini(struct tp_input_run *in); // after each input, on its commit strand

// Takes one step of the strand, while the input is live: orders blocks until something is missing.
void tp_ordering_step(struct tp_input_run *in);
// Replaces the order strand for the puller (run/pull.h): returns the next block. The puller must
// have retired the previous block. NULL: something is missing, or the events have ended;
// tp_wake_order wakes the puller to call again.
struct tp_slot *tp_ordering_pull(struct tp_input_run *in);

#endif
