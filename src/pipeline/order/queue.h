// Ordering of one input: generations collected by the ingest strand are put in order
// by the order strand, block after block, into units of the lane of blocks.
//
//   ingest strand                       any worker      order strand
//   extents ─▶ collect.c ─▶ pending ────▶ prepare ─────▶ ordering.c ─▶ blocks ─▶ unit.c
//                           at most TP_PENDING_MAX   (speculate.c)
//
// The next generation is collected and its tables are built while one is ordered. This is what
// lies between the two strands; each has a struct of its own.
//
// An older trace is one generation, so a single worker puts all of it in order. If the sinks fold
// and another worker is free, it gathers blocks in a unit, which the other worker folds.
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

struct tp_order_queue {
    struct tp_collect *collect;   // the ingest strand's end
    struct tp_ordering *ordering; // the order strand's end
    struct tp_pending *items[TP_PENDING_MAX]; // by put_idx % TP_PENDING_MAX
    _Atomic uint64_t put_count;   // ingest strand
    _Atomic uint64_t done_count;  // order strand
    // Workers that prepare generations, and the order strand (speculate.c): approximate time of
    // the last event of a queued generation, INT64_MAX if not known yet; consecutive speculations
    // that failed; speculations given up before the proof.
    _Atomic int64_t end_ns[TP_PENDING_MAX];
    _Atomic unsigned wrong_count;
    _Atomic uint64_t given_up_count;
    // Ingest strand: until the first put, and until is_collected.
    struct tp_window window;      // resolved with the first generation
    struct tp_error end_error;    // after the last generation; code 0: none
    bool is_past_window;
    _Atomic bool is_collected;    // no generation follows
};

// Makes both ends and the report, with the slot of the input and before others can see it. False:
// out of memory.
bool tp_order_queue_create(struct tp_input_run *in) TP_MUST_USE;
void tp_order_queue_destroy(struct tp_input_run *in);
void tp_order_queue_init(struct tp_input_run *in);  // for each input
void tp_order_queue_reset(struct tp_input_run *in); // between inputs

#endif
