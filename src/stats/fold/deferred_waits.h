// Keeps deferred waits: waits of goroutines that are not known to have run yet. They are counted if
// the goroutine never runs, and dropped when it does.
//
// All goroutines of one owner share the slots (base/slots.h). A goroutine's record has the slot of
// its last wait, 0 if it has none. One thread at a time uses an object. A zeroed one has no waits;
// the owner frees `items` with tp_free.
#ifndef TP_STATS_FOLD_DEFERRED_WAITS_H
#define TP_STATS_FOLD_DEFERRED_WAITS_H

#include "base/slots.h"

// A wait that may still be dropped; a slot.
struct tp_deferred_wait {
    uint32_t next;        // slot of the goroutine's previous wait; 0: none
    uint32_t stack;       // partial: index in the tables; stitch: number of totals.stacks
    int64_t ns;
    uint8_t type;         // enum tp_stack_type
};

// All chains of waits of one owner.
struct tp_deferred_waits {
    TP_SLOTS(struct tp_deferred_wait);
};

// Adds a wait to the goroutine's chain that ends at *last, and sets *last and `wait.next`. False:
// out of memory, and nothing has changed.
TP_INLINE TP_MUST_USE bool tp_deferred_waits_add(struct tp_deferred_waits *w, uint32_t *last,
                                                 struct tp_deferred_wait wait)
{
    wait.next = *last;
    if (!TP_SLOTS_PUSH(w, last))
        return false;
    w->items[*last] = wait;
    return true;
}

// Moves the last wait of a goroutine's chain to *ret and frees its slot. False: the chain is empty,
// and *ret is not set.
TP_INLINE bool tp_deferred_waits_take(struct tp_deferred_waits *w, uint32_t *last,
                                      struct tp_deferred_wait *ret)
{
    if (*last == 0)
        return false;
    *ret = w->items[*last];
    TP_SLOTS_POP(w, last);
    return true;
}

#endif
