// Gives the blocks of a run with one input to a thread outside the run, the puller. It
// replaces the order strand and the commit strand after it: it fills a block on request
// and hands it out in place.
//
//   workers                                     the puller's thread
//   ingest strand ─▶ pending ─▶ tables ───────▶ tp_pull_next ─▶ one block, in place
//                     ▲                              │
//                     └─── a generation is done ◀────┘
//
// That way the events stay in the cache of one core, and nobody is woken for a block:
// the puller sleeps only until a generation is ready.
#ifndef TP_PIPELINE_RUN_PULL_H
#define TP_PIPELINE_RUN_PULL_H

#include "pipeline/core/run.h"

struct tp_pull {
    struct tp_run *run;
    struct tp_event_count woken;
    // The puller's.
    struct tp_slot *lent;      // the block handed out last; NULL: none
    // Why the events end early; comes with the last block. The puller's until that
    // block is given back, then the commit strand's.
    struct tp_error order_error;
};

// Makes the puller the run's one sink. Before the run is started; `p` must outlive it.
int tp_pull_init(struct tp_pull *p, struct tp_run *run, struct tp_error *err) TP_MUST_USE;

// The next block that has events; waits for it. It and all that it points to are valid
// until the next call. NULL: the run is over. Must be called until then before the run
// can be destroyed, which would wait for the events to be put in order.
const struct tp_block *tp_pull_next(struct tp_pull *p);

#endif
