#include "base/list.h"

#include "base/alloc.h"
#include "tracepipe/error.h"

bool tp_list_resize(struct tp_list *list, size_t capacity, size_t item_bytes)
{
    if (capacity > UINT32_MAX)
        return false;
    void *items = tp_realloc(list->items, capacity * item_bytes);
    if (items == NULL)
        return false;
    list->items = items;
    list->capacity = (uint32_t)capacity;
    return true;
}

TP_NOINLINE bool tp_list_grow(struct tp_list *list, size_t more, size_t item_bytes)
{
    uint64_t wanted = list->capacity == 0 ? TP_LIST_FIRST : 2 * (uint64_t)list->capacity;
    while (wanted - list->count < more) {
        if (wanted > UINT32_MAX / 4)
            return false;
        wanted *= 2;
    }
    return wanted <= UINT32_MAX / 2 && tp_list_resize(list, wanted, item_bytes);
}

TP_NOINLINE int tp_list_grow_within(struct tp_list *list, uint32_t first, size_t item_bytes,
                                    size_t *room_bytes)
{
    size_t more = list->capacity == 0 ? first : list->capacity;
    if (more > *room_bytes / item_bytes)
        return TP_E_LIMIT;
    if (!tp_list_resize(list, list->capacity + more, item_bytes))
        return TP_E_MEMORY;
    *room_bytes -= more * item_bytes;
    return 0;
}
