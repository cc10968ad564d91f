#include "base/list.h"

#include "base/alloc.h"

#define FIRST_ITEMS 32

TP_NOINLINE void *tp_list_grow(void *items, uint32_t *capacity, size_t item_bytes)
{
    if (*capacity > UINT32_MAX / 4)
        return items;
    uint32_t wanted = *capacity == 0 ? FIRST_ITEMS : 2 * *capacity;
    void *grown = tp_realloc(items, wanted * item_bytes);
    if (grown == NULL)
        return items;
    *capacity = wanted;
    return grown;
}
