// A strand is code that must not run twice at the same time but may run on any thread. The
// thread that posts to an idle strand runs it, or hands it to a pool. A post during a run
// makes the runner repeat the step. A strand has no lock and no thread of its own.
//
//     if (tp_strand_post(&s))
//         do seen = tp_strand_begin(&s), step(); while (!tp_strand_end(&s, seen));
#ifndef TP_BASE_STRAND_H
#define TP_BASE_STRAND_H

#include <stdatomic.h>

#include "base/attr.h"

// Zeroed is an idle strand.
struct tp_strand {
    _Atomic uint32_t posts; // not yet served; 0: the strand is idle
};

// Any thread. True: the strand was idle, and the caller must run it or hand it to a pool.
TP_INLINE bool tp_strand_post(struct tp_strand *s)
{
    return atomic_fetch_add_explicit(&s->posts, 1, memory_order_acq_rel) == 0;
}

// The number of posts so far, which the next step serves. Runner only.
TP_INLINE uint32_t tp_strand_begin(struct tp_strand *s)
{
    return atomic_load_explicit(&s->posts, memory_order_acquire);
}

// Ends a step. False: more posts came since tp_strand_begin, run another step. After true the
// runner must not touch the data that the strand guards.
TP_INLINE bool tp_strand_end(struct tp_strand *s, uint32_t seen)
{
    return atomic_fetch_sub_explicit(&s->posts, seen, memory_order_acq_rel) == seen;
}

#endif
