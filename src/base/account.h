// How much of a run's bound is taken by what grows with its inputs and was planned for nobody:
// states of goroutines and threads, cursors, tables. Nobody is refused here: whoever can wait asks
// whether to. Thread-safe.
#ifndef TP_BASE_ACCOUNT_H
#define TP_BASE_ACCOUNT_H

#include <stdatomic.h>

#include "base/attr.h"

struct tp_account {
    uint64_t limit_bytes;
    _Atomic uint64_t used_bytes;
};

// Of one owner, who says what he holds.
struct tp_account_share {
    uint64_t bytes;
};

TP_INLINE void tp_account_init(struct tp_account *a, uint64_t limit_bytes)
{
    a->limit_bytes = limit_bytes;
    atomic_init(&a->used_bytes, 0);
}

// From now on it holds so much; 0 when it goes.
TP_INLINE void tp_account_set(struct tp_account *a, struct tp_account_share *s, uint64_t bytes)
{
    if (tp_likely(bytes == s->bytes))
        return;
    // The difference of two's complements, whichever is larger.
    atomic_fetch_add_explicit(&a->used_bytes, bytes - s->bytes, memory_order_seq_cst);
    s->bytes = bytes;
}

// Whether more than one part in `parts` of the limit is taken.
TP_INLINE bool tp_account_passes(const struct tp_account *a, uint64_t parts)
{
    return atomic_load_explicit(&a->used_bytes, memory_order_seq_cst) > a->limit_bytes / parts;
}

#endif
