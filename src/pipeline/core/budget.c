#include "pipeline/core/budget.h"

#include <assert.h>

void tp_budget_init(struct tp_budget *b, uint64_t limit_bytes, uint64_t reserve_bytes)
{
    assert(reserve_bytes <= limit_bytes);
    b->limit_bytes = limit_bytes;
    b->reserve_bytes = reserve_bytes;
    atomic_init(&b->used_bytes, 0);
}

bool tp_budget_try_take(struct tp_budget *b, uint64_t len_bytes, enum tp_rank rank)
{
    uint64_t top = b->limit_bytes - (rank == TP_RANK_OLDEST ? 0 : b->reserve_bytes);
    uint64_t used = atomic_load_explicit(&b->used_bytes, memory_order_seq_cst);
    do {
        if (used > top || len_bytes > top - used)
            return false;
    } while (!atomic_compare_exchange_weak_explicit(&b->used_bytes, &used, used + len_bytes,
                                                    memory_order_seq_cst, memory_order_seq_cst));
    return true;
}

void tp_budget_give(struct tp_budget *b, uint64_t len_bytes)
{
    uint64_t before = atomic_fetch_sub_explicit(&b->used_bytes, len_bytes, memory_order_seq_cst);
    assert(before >= len_bytes);
    (void)before;
}
