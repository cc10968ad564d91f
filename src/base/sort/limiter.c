#include "base/sort/limiter.h"

#include <stdlib.h>
#include <string.h>

#include "base/sort/compare.h"

static uint64_t value_of(const void *item)
{
    uint64_t value;
    memcpy(&value, item, sizeof value);
    return value;
}

static int greatest_first(const void *left, const void *right)
{
    return tp_compare_u64(value_of(right), value_of(left));
}

bool tp_longest_add(struct tp_longest *l, struct tp_list *items, size_t item_bytes,
                    const void *item, uint32_t *ret_cut_count)
{
    *ret_cut_count = 0;
    if (items->count == items->capacity && !tp_list_grow(items, 1, item_bytes))
        return false;
    unsigned char *first = items->items;
    memcpy(first + items->count++ * item_bytes, item, item_bytes);
    if (l->most == 0 || items->count < 2 * (uint64_t)l->most || items->count < l->full_count)
        return true;
    uint32_t count = items->count;
    qsort(first, count, item_bytes, greatest_first);
    l->least = value_of(first + (l->most - 1) * item_bytes);
    while (value_of(first + (items->count - 1) * item_bytes) < l->least)
        items->count--;
    *ret_cut_count = count - items->count;
    // All items of exactly the least value stay, so there may be more than `most` now. Wait until the
    // list has doubled, lest it be sorted for each of them.
    l->full_count = 2 * items->count;
    return true;
}
