// Counts the holds of an object that several threads share. The object begins with one hold, and the
// thread that releases the last one frees the object.
#ifndef TP_BASE_HOLDS_H
#define TP_BASE_HOLDS_H

#include <stdatomic.h>

#include "base/attr.h"

// Takes one more hold, on any thread that has one.
TP_INLINE void tp_hold(_Atomic uint32_t *holds)
{
    atomic_fetch_add_explicit(holds, 1, memory_order_relaxed);
}

// Releases a hold, on any thread. Returns whether it was the last one.
TP_INLINE bool tp_release_last(_Atomic uint32_t *holds)
{
    // Acquire and release order the other holders' uses before the free.
    return atomic_fetch_sub_explicit(holds, 1, memory_order_acq_rel) == 1;
}

#endif
