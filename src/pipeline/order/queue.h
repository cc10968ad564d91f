// The ordering of one input: the ingest strand collects generations, and the order strand puts them
// in order, block after block, into units of the lane of blocks.
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

// Most pending generations of one input; speculate.h says how many a run allows. At least
// three: one being ordered, one ready, one being collected.
#define TP_PENDING_MAX 18

struct tp_collect;
struct tp_ordering;

// The queue. Created with the slot of an input, reused, and freed with the slot.
struct tp_order_queue {
    struct tp_collect *collect;   // the ingest strand's end
    struct tp_ordering *ordering; // the order strand's end
    struct tp_pending *items[TP_PENDING_MAX]; // by put_idx % TP_PENDING_MAX
    _Atomic uint64_t put_count;   // ingest strand
    _Atomic uint64_t done_count;  // order strand
    // Used by workers that prepare generations and by the order strand (speculate.c): approximate
    // time of the last event of each queued generation, INT64_MAX if not known yet; number of
    // consecutive speculations that failed; number of speculations that were given up unchecked.
    _Atomic int64_t end_ns[TP_PENDING_MAX];
    _Atomic unsigned wrong_count;
    _Atomic uint64_t given_up_count;
    // Written by the ingest strand, then constant: the window from the first put on, the others
    // from is_collected on.
    struct tp_window window;      // found with the first generation
    struct tp_error end_error;    // after the last generation; code 0: none
    bool is_past_window;          // the rest of the input is after the window
    _Atomic bool is_collected;    // no generation follows
};

// Creates both ends and the report, with the slot of the input and before other threads can see it.
// False: out of memory.
bool tp_order_queue_create(struct tp_input_run *in) TP_MUST_USE;
void tp_order_queue_destroy(struct tp_input_run *in);
void tp_order_queue_init(struct tp_input_run *in);  // for each input
void tp_order_queue_reset(struct tp_input_run *in); // between inputs

#endif
