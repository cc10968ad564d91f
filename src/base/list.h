// Growing arrays. Items move when the array grows. One thread at a time.
#ifndef TP_BASE_LIST_H
#define TP_BASE_LIST_H

#include <stdlib.h>

#include "base/attr.h"

// An array for code that knows only the size of an item. TP_LIST(type) is the same with a type.
// A zeroed array is empty; the owner frees `items` with tp_free.
struct tp_list {
    void *items;
    uint32_t count;
    uint32_t capacity;
};
#define TP_LIST(type)                                                                              \
    union {                                                                                        \
        struct {                                                                                   \
            type *items;                                                                           \
            uint32_t count;                                                                        \
            uint32_t capacity;                                                                     \
        };                                                                                         \
        struct tp_list as_list;                                                                    \
    }

// Capacity of an array that grows for the first time.
#define TP_LIST_FIRST 16

// Make room for one more item, or for `more` items. An array that grows at least doubles its
// capacity. False: out of memory, or beyond 2^31 items; nothing has changed.
#define TP_LIST_ROOM(list)                                                                         \
    (tp_likely((list)->count < (list)->capacity) ||                                                \
     tp_list_grow(&(list)->as_list, 1, sizeof *(list)->items))
#define TP_LIST_ROOM_FOR(list, more)                                                               \
    (tp_likely((list)->capacity - (list)->count >= (more)) ||                                      \
     tp_list_grow(&(list)->as_list, (more), sizeof *(list)->items))

// Adds an item, whose value is the rest of the arguments. False: TP_LIST_ROOM is false, and nothing
// has changed.
#define TP_LIST_ADD(list, ...)                                                                     \
    (TP_LIST_ROOM(list) && ((list)->items[(list)->count++] = (__VA_ARGS__), true))

// Makes room for one more item, within a limit: the bytes by which the array grows are taken from
// *room_bytes. An empty array gets room for `first` items. Returns 0, TP_E_LIMIT (the array would
// grow by more than *room_bytes) or TP_E_MEMORY; on failure nothing has changed.
#define TP_LIST_ROOM_WITHIN(list, first, room_bytes)                                               \
    (tp_likely((list)->count < (list)->capacity)                                                   \
         ? 0                                                                                       \
         : tp_list_grow_within(&(list)->as_list, (first), sizeof *(list)->items, (room_bytes)))

// Sort a list by qsort, or by qsort_r with a context that the comparison does not change. An empty list
// may have no array, which these functions do not take.
#define TP_LIST_SORT(list, compare)                                                                \
    ((list)->count > 0                                                                             \
         ? qsort((list)->items, (list)->count, sizeof *(list)->items, (compare))                   \
         : (void)0)
#define TP_LIST_SORT_BY(list, compare, ctx)                                                        \
    ((list)->count > 0                                                                             \
         ? qsort_r((list)->items, (list)->count, sizeof *(list)->items, (compare), (void *)(ctx))  \
         : (void)0)

// The parts of TP_LIST_ROOM_FOR and TP_LIST_ROOM_WITHIN that grow a full array.
bool tp_list_grow(struct tp_list *list, size_t more, size_t item_bytes) TP_MUST_USE;
int tp_list_grow_within(struct tp_list *list, uint32_t first, size_t item_bytes,
                        size_t *room_bytes) TP_MUST_USE;
// Gives the array exactly this capacity, which is at least its count. False: out of memory, or the
// capacity exceeds 32 bits; nothing has changed.
bool tp_list_resize(struct tp_list *list, size_t capacity, size_t item_bytes) TP_MUST_USE;

#endif
