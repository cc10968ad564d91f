// The order strand's end of the order queue: puts generations in order and hands their events out
// in blocks. All functions are called by the order strand or the puller, unless they say otherwise.
#ifndef TP_PIPELINE_ORDER_ORDERING_H
#define TP_PIPELINE_ORDER_ORDERING_H

#include "merge/track/tracker.h"
#include "pipeline/order/queue.h"

// Part of the order queue and freed with it.
struct tp_ordering {
    uint64_t cpu_mark_ns;      // CPU time of the strand's thread at the last count
    struct tp_order_state order;
    struct tp_tracker tracker; // of an input whose sinks want spans
    struct tp_pending *current; // being ordered; the queue owns it
    struct tp_account_share share; // of the order's states and cursors in the run's `grown`
    struct tp_order_loss loss; // of `current`, so far
    bool is_broken;            // no event follows: an error, or Go's reader stops here
    bool is_over;              // no event follows: the window has ended
    bool has_last;             // the last block of events was submitted
};

// Prepares for the next input, on its ingest strand.
void tp_ordering_init(struct tp_input_run *in);
// Frees the order's states after each input, on its commit strand.
void tp_ordering_fini(struct tp_input_run *in);

// Takes one step of the strand, while the input's ordering has not ended: orders blocks until a
// generation, a unit or memory is missing, for which the strand is woken again. An error either
// ends the events (tp_slot.order_error) or is added to the losses in the input's report.
void tp_ordering_step(struct tp_input_run *in);
// The puller calls this function instead of tp_ordering_step (run/pull.h): returns the unit with
// the next block, valid until tp_unit_retire. The puller must have retired the previous unit. NULL:
// a generation, a unit or memory is missing, or the events have ended; tp_wake_order wakes the
// puller to call again.
struct tp_slot *tp_ordering_pull(struct tp_input_run *in);

#endif
