// The blocks of a run with one input, for a thread that is none of the run's: it takes
// the place of the commit strand at the end of the lane of blocks.
//
//   order strand                                  the puller's thread
//   fill a block ─▶ lane of blocks (unit.c) ────▶ tp_pull_next ─▶ blocks, in place
//        ▲                                             │
//        └──────── slots, some at a time ◀─────────────┘
//
// Neither side wakes the other for single blocks: the puller sleeps only when none is
// left, and is woken when TP_PULL_WAKE are there or the order strand rests; slots go
// back TP_PULL_RETURN at a time, or when none is left.
#ifndef TP_PIPELINE_PULL_H
#define TP_PIPELINE_PULL_H

#include "pipeline/state.h"

// Slots of the lane. They should stay in the cache of a core: 36 KB each.
#define TP_PULL_UNITS 32
#define TP_PULL_WAKE 16
#define TP_PULL_RETURN 8

struct tp_pull {
    struct tp_run *run;
    pthread_mutex_t mu;
    pthread_cond_t woken;
    _Atomic bool is_sleeping;  // written under mu
    bool is_ended;             // no block follows those in the lane; mu
    bool is_over;              // the run has ended; mu
    // The puller's.
    size_t taken_count;        // blocks handed out whose slots were not given back
    bool has_left;             // the commit strand was told that all were taken
    // Why the events end early, told behind the last block. The puller's until all
    // blocks are given back, then the commit strand's.
    struct tp_error order_error;
};

// Makes the puller the run's one sink. Before the run is started; `p` must outlive it.
int tp_pull_init(struct tp_pull *p, struct tp_run *run, struct tp_error *err) TP_MUST_USE;
// After the run is gone.
void tp_pull_fini(struct tp_pull *p);

// The next block that has events; waits for it. It and all that it points to are valid
// until the next call. NULL: the run is over. Must be called until then before the run
// can be destroyed, which would wait for the blocks to be taken.
const struct tp_block *tp_pull_next(struct tp_pull *p);

// Order strand: one more block is done; no other follows for the moment, or ever.
void tp_pull_block_done(struct tp_input_run *in);
void tp_pull_pause(struct tp_input_run *in);
// The run is over.
void tp_pull_end(struct tp_pull *p);

#endif
