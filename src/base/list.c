#include "base/list.h"

#include "base/alloc.h"

#define FIRST_ITEMS 32

TP_NOINLINE void *tp_list_grow_for(void *items, uint32_t *capacity, uint32_t count, size_t more,
                                   size_t item_bytes)
{
    uint64_t wanted = *capacity == 0 ? FIRST_ITEMS : *capacity;
    while (wanted < *capacity + (uint64_t)1 || wanted - count < more) {
        if (wanted > UINT32_MAX / 4)
            return items;
        wanted *= 2;
    }
    void *grown = tp_realloc(items, wanted * item_bytes);
    if (grown == NULL)
        return items;
    *capacity = (uint32_t)wanted;
    return grown;
}

TP_NOINLINE void *tp_list_grow(void *items, uint32_t *capacity, size_t item_bytes)
{
    return tp_list_grow_for(items, capacity, *capacity, 1, item_bytes);
}
