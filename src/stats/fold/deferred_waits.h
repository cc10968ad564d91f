// Waits of goroutines that are not known to have run yet. They count if the goroutine never runs,
// and are dropped when it does.
//
// Many goroutines share one list. A goroutine holds the number + 1 of its last wait, 0 if it has
// none. One thread at a time uses a list. Zeroed is empty; the owner frees `waits.items` with
// tp_free.
#ifndef TP_STATS_FOLD_DEFERRED_WAITS_H
#define TP_STATS_FOLD_DEFERRED_WAITS_H

#include "base/list.h"

// An item of the list: a wait, or a free item.
struct tp_deferred_wait {
    int64_t ns;
    uint32_t stack;       // as the list's owner numbers stacks
    uint32_t next_plus_1; // the goroutine's previous wait, or the next free item
    uint8_t type;         // enum tp_stack_type
};

// All chains of waits of one owner.
struct tp_deferred_waits {
    TP_LIST(struct tp_deferred_wait) waits;
    uint32_t free_plus_1;
};

// Adds a wait to a goroutine's chain; `wait.next_plus_1` is set here. False: out of memory, and
// nothing has changed.
TP_INLINE TP_MUST_USE bool tp_deferred_waits_add(struct tp_deferred_waits *l, uint32_t *last_plus_1,
                                                 struct tp_deferred_wait wait)
{
    uint32_t at = l->free_plus_1;
    if (at != 0)
        l->free_plus_1 = l->waits.items[at - 1].next_plus_1;
    else if (TP_LIST_ROOM(&l->waits))
        at = ++l->waits.count;
    else
        return false;
    wait.next_plus_1 = *last_plus_1;
    l->waits.items[at - 1] = wait;
    *last_plus_1 = at;
    return true;
}

// Takes the last wait out of a goroutine's chain. False: the chain is empty.
TP_INLINE bool tp_deferred_waits_take(struct tp_deferred_waits *l, uint32_t *last_plus_1,
                                      struct tp_deferred_wait *ret)
{
    uint32_t at = *last_plus_1;
    if (at == 0)
        return false;
    *ret = l->waits.items[at - 1];
    *last_plus_1 = ret->next_plus_1;
    l->waits.items[at - 1].next_plus_1 = l->free_plus_1;
    l->free_plus_1 = at;
    return true;
}

#endif
