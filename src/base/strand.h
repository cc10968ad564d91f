// A strand is code that must not run twice at the same time but may run on any thread. The
// thread that posts to an idle strand runs it, or hands it to a pool. A post during a run makes
// the thread that runs the strand, its runner, repeat the step. A strand has no lock and no thread
// of its own, allocates nothing, and cannot fail.
//
//     if (tp_strand_post(&s))
//         do seen = tp_strand_begin(&s), step(); while (!tp_strand_end(&s, seen));
#ifndef TP_BASE_STRAND_H
#define TP_BASE_STRAND_H

#include <stdatomic.h>

#include "base/attr.h"

// The state of a strand. A zeroed strand is idle.
struct tp_strand {
    _Atomic uint32_t posts; // not yet served; 0: the strand is idle
};

// Adds a post. Any thread. True: the strand was idle, and the caller must run it or hand it to a
// pool.
TP_INLINE bool tp_strand_post(struct tp_strand *s)
{
    return atomic_fetch_add_explicit(&s->posts, 1, memory_order_acq_rel) == 0;
}

// Begins a step. Returns the number of posts not yet served, all of which the step serves. Runner
// only.
TP_INLINE uint32_t tp_strand_begin(struct tp_strand *s)
{
    return atomic_load_explicit(&s->posts, memory_order_acquire);
}

// Ends a step that served `seen` posts. Runner only. False: more posts came since tp_strand_begin,
// so the runner must run another step. True: the strand is idle, and the caller must no longer
// touch the data that the strand guards.
TP_INLINE bool tp_strand_end(struct tp_strand *s, uint32_t seen)
{
    return atomic_fetch_sub_explicit(&s->posts, seen, memory_order_acq_rel) == seen;
}

#endif
