// A strand is work that must not run twice at the same time but may run on any
// thread: whoever posts to an idle strand runs it (or hands it to a pool), and
// posts that come meanwhile make the runner go round once more. No lock, no
// thread of its own.
//
//     if (tp_strand_post(&s))
//         do seen = tp_strand_begin(&s), step(); while (!tp_strand_end(&s, seen));
#ifndef TP_BASE_STRAND_H
#define TP_BASE_STRAND_H

#include <stdatomic.h>

#include "base/attr.h"

struct tp_strand {
    _Atomic uint32_t posts;
};

// True: the strand was idle, and the caller must see to it that it runs.
TP_INLINE bool tp_strand_post(struct tp_strand *s)
{
    return atomic_fetch_add_explicit(&s->posts, 1, memory_order_acq_rel) == 0;
}

// What has been posted so far; the step that follows takes care of it.
TP_INLINE uint32_t tp_strand_begin(struct tp_strand *s)
{
    return atomic_load_explicit(&s->posts, memory_order_acquire);
}

// False: more was posted since begin, run again. After true the runner must not
// touch what the strand guards.
TP_INLINE bool tp_strand_end(struct tp_strand *s, uint32_t seen)
{
    return atomic_fetch_sub_explicit(&s->posts, seen, memory_order_acq_rel) == seen;
}

#endif
