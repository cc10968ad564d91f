// How much of a run's bound is taken by what grows with its inputs and was planned for nobody:
// states of goroutines and threads, cursors, tables, sums. Nobody is refused here: whoever can wait
// asks whether to. Thread-safe.
#ifndef TP_BASE_ACCOUNT_H
#define TP_BASE_ACCOUNT_H

#include <stdatomic.h>

#include "base/attr.h"

struct tp_account {
    uint64_t limit_bytes;
    _Atomic uint64_t used_bytes; // goes when its owner is done
    _Atomic uint64_t kept_bytes; // stays until the run ends
};

// Of one owner, who says what he holds.
struct tp_account_share {
    uint64_t bytes;
};

TP_INLINE void tp_account_init(struct tp_account *a, uint64_t limit_bytes)
{
    a->limit_bytes = limit_bytes;
    atomic_init(&a->used_bytes, 0);
    atomic_init(&a->kept_bytes, 0);
}

TP_INLINE void tp_account_change(_Atomic uint64_t *sum, struct tp_account_share *s, uint64_t bytes)
{
    if (tp_likely(bytes == s->bytes))
        return;
    // The difference of two's complements, whichever is larger.
    atomic_fetch_add_explicit(sum, bytes - s->bytes, memory_order_seq_cst);
    s->bytes = bytes;
}

// From now on the owner holds so much; 0 when it goes.
TP_INLINE void tp_account_set(struct tp_account *a, struct tp_account_share *s, uint64_t bytes)
{
    tp_account_change(&a->used_bytes, s, bytes);
}
// The same of an owner that lives as long as the run.
TP_INLINE void tp_account_keep(struct tp_account *a, struct tp_account_share *s, uint64_t bytes)
{
    tp_account_change(&a->kept_bytes, s, bytes);
}

// Whether more than one part in `parts` is taken of what is left for owners that can wait. Inputs of
// a run are much alike, so the sums of the oldest one may come to take as much as is kept of those
// before it, and its events and tables as much again: that is left for it, too. Where nothing is
// left, the others wait even if nobody holds anything yet.
TP_INLINE bool tp_account_passes(const struct tp_account *a, uint64_t parts)
{
    uint64_t kept = atomic_load_explicit(&a->kept_bytes, memory_order_seq_cst);
    uint64_t used = atomic_load_explicit(&a->used_bytes, memory_order_seq_cst);
    return kept >= a->limit_bytes / 3 || used > (a->limit_bytes - 3 * kept) / parts;
}

#endif
