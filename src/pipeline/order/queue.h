// Connects two strands that order one input: the ingest strand collects generations, and the order
// strand puts them in order, block after block, into units of the lane of blocks.
//
//   ingest strand                       any worker      order strand
//   extents ─▶ collect.c ─▶ pending ────▶ prepare ─────▶ ordering.c ─▶ blocks ─▶ unit.c
//                           at most TP_PENDING_MAX   (speculate.c)
//
// While one generation is put in order, the next one is collected and its tables are built. The
// queue holds the state between the two strands; each strand has a struct of its own.
//
// An older trace is one generation, so a single worker puts all of it in order. If the sinks fold
// and another worker is free, the first worker gathers blocks in a unit, which the other worker
// folds.
#ifndef TP_PIPELINE_ORDER_QUEUE_H
#define TP_PIPELINE_ORDER_QUEUE_H

#include "pipeline/core/run.h"
#include "pipeline/order/pending.h"
#include "pipeline/order/window.h"

// Largest number of pending generations of one input; tp_speculate_pending_max returns how many a
// run allows. At least three: one being ordered, one ready, one being collected.
#define TP_PENDING_MAX 18

struct tp_collect;
struct tp_ordering;

// The queue. Created with the slot of an input, reused, and freed with the slot.
struct tp_order_queue {
    struct tp_collect *collect;   // the ingest strand's end
    struct tp_ordering *ordering; // the order strand's end
    struct tp_pending *items[TP_PENDING_MAX]; // at put_idx % TP_PENDING_MAX; owned
    _Atomic uint64_t put_count;   // generations put into the queue, by the ingest strand
    _Atomic uint64_t done_count;  // generations finished, by the order strand
    // Used by speculate.c, on workers that prepare generations and on the order strand.
    // Approximate time of the last event of each queued generation; INT64_MAX: not known yet.
    _Atomic int64_t end_ns[TP_PENDING_MAX];
    _Atomic unsigned wrong_count;    // speculations that failed in a row
    _Atomic uint64_t given_up_count; // speculations that were given up unchecked
    // Written by the ingest strand. `window` is constant from the first put on, the other members
    // from is_collected on.
    struct tp_window window;      // found with the first generation
    struct tp_error end_error;    // after the last generation; code 0: none
    bool is_past_window;          // the rest of the input is after the window
    _Atomic bool is_collected;    // no generation follows
};

// Creates the queue's two ends (ingest, order) and in->order_report. Call when the input's slot is
// created, before other threads can see it. False: out of memory, and nothing is left to destroy.
bool tp_order_queue_create(struct tp_input_run *in) TP_MUST_USE;
// Frees the queue and all that it holds, with the slot and after the threads are gone.
void tp_order_queue_destroy(struct tp_input_run *in);
// Prepares for the next input. Ingest strand.
void tp_order_queue_init(struct tp_input_run *in);
// Frees what the queue holds of the input. Commit strand, after the input's turn.
void tp_order_queue_reset(struct tp_input_run *in);

#endif
