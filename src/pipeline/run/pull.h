// Gives the blocks of a run with one input to a thread outside the run, the puller. The puller
// replaces the order strand, and the commit strand as the consumer of blocks: it fills a block on
// request and hands it out in place.
//
//   workers                                     the puller's thread
//   ingest strand ─▶ pending ─▶ tables ───────▶ tp_pull_next ─▶ one block, in place
//                     ▲                              │
//                     └─── a generation is done ◀────┘
//
// That way the events stay in the cache of one core, and no thread is woken for a block: the puller
// sleeps only until a generation is ready.
#ifndef TP_PIPELINE_RUN_PULL_H
#define TP_PIPELINE_RUN_PULL_H

#include "pipeline/core/run.h"

// The state of the puller, owned by the caller.
struct tp_pull {
    struct tp_run *run;        // borrowed
    struct tp_event_count woken; // the puller sleeps on it; strands of the run wake it
    // Used by the puller's thread only.
    struct tp_slot *lent;      // the block handed out last; NULL: none
    // The reason why the events end early, from the last block. Used by the puller until it gives
    // that block back, then by the commit strand.
    struct tp_error order_error;
};

// Makes the puller the only sink of the run. Call before the run is started; `p` must outlive the
// run and needs no freeing. TP_E_MEMORY: the run can only be destroyed.
int tp_pull_init(struct tp_pull *p, struct tp_run *run, struct tp_error *err) TP_MUST_USE;

// Waits for the next block that has events or spans and returns it. Called by one thread, the puller. The
// block, and all that it points to, is valid until the next call. NULL: the run is over, failed or
// not; if it failed, order_error or else tp_single_input_reason has the reason. Call until NULL is
// returned before the run is destroyed: otherwise tp_run_destroy does not return, because only the
// puller puts events in order. Do not call after NULL.
const struct tp_block *tp_pull_next(struct tp_pull *p);

#endif
