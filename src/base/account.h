// Counts the memory that grows with the inputs of a run and for which the run reserves no fixed
// amount: states of goroutines and threads, cursors, tables, totals. Refuses nothing itself: an
// owner that can wait asks tp_account_passes whether to wait, and one that cannot asks
// tp_account_left how much it may take. The functions allocate nothing and cannot fail.
// Any thread may call them; a struct tp_account_share belongs to one thread at a time.
#ifndef TP_BASE_ACCOUNT_H
#define TP_BASE_ACCOUNT_H

#include <stdatomic.h>

#include "base/attr.h"

// The account of a run; lives as long as the run.
struct tp_account {
    uint64_t limit_bytes;
    _Atomic uint64_t used_bytes; // memory that is freed when its owner is done
    _Atomic uint64_t kept_bytes; // memory that lives as long as the run
};

// The bytes that one owner last charged. A zeroed share: the owner has charged none.
struct tp_account_share {
    uint64_t bytes;
};

// Starts with no bytes used. `limit_bytes` is the bound that tp_account_passes compares with.
TP_INLINE void tp_account_init(struct tp_account *a, uint64_t limit_bytes)
{
    a->limit_bytes = limit_bytes;
    atomic_init(&a->used_bytes, 0);
    atomic_init(&a->kept_bytes, 0);
}

// Replaces the owner's last charge in a sum by `bytes`. Only for the two functions below.
TP_INLINE void tp_account_change(_Atomic uint64_t *sum, struct tp_account_share *s, uint64_t bytes)
{
    if (tp_likely(bytes == s->bytes))
        return;
    // The unsigned difference wraps, so the addition is also right if the charge shrinks.
    atomic_fetch_add_explicit(sum, bytes - s->bytes, memory_order_seq_cst);
    s->bytes = bytes;
}

// Sets the bytes that the owner holds from now on. An owner must set 0 before it ends.
TP_INLINE void tp_account_set(struct tp_account *a, struct tp_account_share *s, uint64_t bytes)
{
    tp_account_change(&a->used_bytes, s, bytes);
}
// Sets the bytes of an owner that lives as long as the run; tp_account_set is for other owners.
TP_INLINE void tp_account_keep(struct tp_account *a, struct tp_account_share *s, uint64_t bytes)
{
    tp_account_change(&a->kept_bytes, s, bytes);
}

// Returns whether the used bytes exceed 1/`parts` of the memory for owners that can wait. This
// memory is the limit minus three times the kept bytes: once for the kept bytes themselves, once
// for the totals of the oldest input (which may become as large as the kept totals of the inputs
// before it), and once for that input's events and tables. If nothing remains, returns true even
// while no bytes are used.
TP_INLINE bool tp_account_passes(const struct tp_account *a, uint64_t parts)
{
    uint64_t kept = atomic_load_explicit(&a->kept_bytes, memory_order_seq_cst);
    uint64_t used = atomic_load_explicit(&a->used_bytes, memory_order_seq_cst);
    return kept >= a->limit_bytes / 3 || used > (a->limit_bytes - 3 * kept) / parts;
}

// Returns the bytes that all states of sinks may take together. They are 15/16 of the limit: the
// memory planned for other uses is hardly taken once states are that large, because younger inputs
// wait and idle pages are given back.
TP_INLINE uint64_t tp_account_most(const struct tp_account *a)
{
    return a->limit_bytes - a->limit_bytes / 16;
}
// Returns how many of these bytes the kept ones leave to the states of one input.
TP_INLINE uint64_t tp_account_left(const struct tp_account *a)
{
    uint64_t most = tp_account_most(a);
    uint64_t kept = atomic_load_explicit(&a->kept_bytes, memory_order_seq_cst);
    return kept < most ? most - kept : 0;
}

#endif
