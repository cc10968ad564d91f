// Limiters keep the best n items. The functions of limiter.def keep exactly the best n of all items
// offered. struct tp_longest is for the list of one part of the input: it costs less, and the list may
// have more than n items.
//
// An item that is among the best n of all is among the best n of each part that has the item. So which
// items are kept in the end does not depend on the order and the grouping in which the items come.
#ifndef TP_BASE_SORT_LIMITER_H
#define TP_BASE_SORT_LIMITER_H

#include "base/list.h"

// The answers of a limiter to an offered item.
enum tp_limited {
    TP_LIMITED_KEPT,
    TP_LIMITED_REPLACED,  // kept; the worst of those kept before has gone
    TP_LIMITED_REFUSED,   // it is worse than all that are kept, which are as many as allowed
    TP_LIMITED_NO_MEMORY, // nothing has changed
};

// The limit of the list of one part of the input. Each item of the list begins with its value, a
// uint64_t; a greater value is better.
struct tp_longest {
    uint64_t least;      // items with a smaller value are left out
    uint32_t most;       // n; 0: no limit
    uint32_t full_count; // do not look for items to leave out below this many
};

// Adds a copy of an item whose value is not below l->least. Sets *ret_cut_count to the number of items
// that this call removes from the list, because at least n items are greater. The removed items stay in
// memory behind the end of the list until the next call. False: out of memory, and nothing has changed.
bool tp_longest_add(struct tp_longest *l, struct tp_list *items, size_t item_bytes,
                    const void *item, uint32_t *ret_cut_count) TP_MUST_USE;

#endif
