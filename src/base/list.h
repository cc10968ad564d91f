// Growing arrays. Items move when the array grows. One thread at a time.
#ifndef TP_BASE_LIST_H
#define TP_BASE_LIST_H

#include "base/attr.h"

// Zeroed is empty; `items` are freed with tp_free.
#define TP_LIST(type)       \
    struct {                \
        type *items;        \
        uint32_t count;     \
        uint32_t capacity;  \
    }

// Makes room for one more item. False: out of memory, and nothing has changed.
#define TP_LIST_ROOM(list)                                                              \
    (tp_likely((list)->count < (list)->capacity) ||                                     \
     ((list)->items =                                                                   \
          tp_list_grow((list)->items, &(list)->capacity, sizeof *(list)->items),        \
      (list)->count < (list)->capacity))

// Makes room for `more` items. False: out of memory, and nothing has changed.
#define TP_LIST_ROOM_FOR(list, more)                                                    \
    (tp_likely((list)->capacity - (list)->count >= (more)) ||                           \
     ((list)->items = tp_list_grow_for((list)->items, &(list)->capacity,                \
                                       (list)->count, (more), sizeof *(list)->items),   \
      (list)->capacity - (list)->count >= (more)))

// For the macros only. Return the items, moved if need be; without memory they return `items`
// and leave *capacity as it is.
void *tp_list_grow(void *items, uint32_t *capacity, size_t item_bytes) TP_MUST_USE;
void *tp_list_grow_for(void *items, uint32_t *capacity, uint32_t count, size_t more,
                       size_t item_bytes) TP_MUST_USE;

#endif
