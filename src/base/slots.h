// Items of one type in an array, taken and given back one by one. A slot is the number of an item:
// slots begin with 1, 0 is no slot, and items[0] is unused. The slot given back last is taken
// first. Taking a slot may move all items.
//
// Many chains (linked lists) can share the slots. The owner of a chain keeps the slot of its top,
// which is 0 while the chain is empty. Each item of a chain begins with the slot of the next item,
// a uint32_t.
//
// One thread at a time. A zeroed struct is empty; the owner frees `items` with tp_free.
#ifndef TP_BASE_SLOTS_H
#define TP_BASE_SLOTS_H

#include "base/list.h"

// Slots for code that knows only the size of an item. TP_SLOTS(type) is the same with a type.
struct tp_slots {
    struct tp_list list;    // its count is the greatest slot that was ever taken
    uint32_t free;          // the first free slot; each has the next one in its first 4 bytes
};
#define TP_SLOTS(type)            \
    union {                       \
        struct {                  \
            TP_LIST(type);        \
            uint32_t free;        \
        };                        \
        struct tp_slots as_slots; \
    }

// Takes a slot, whose item the caller fills in. 0: out of memory, and nothing has changed.
#define TP_SLOTS_TAKE(s) tp_slots_take(&(s)->as_slots, sizeof *(s)->items)
// Gives back a slot that was taken; its item has no meaning then.
#define TP_SLOTS_GIVE(s, slot) tp_slots_give(&(s)->as_slots, (slot), sizeof *(s)->items)
// Pushes an item onto the chain whose top is *top. The caller fills in the item, except for its
// first member, which is the slot of the next item. False: out of memory, and nothing has changed.
#define TP_SLOTS_PUSH(s, top) tp_slots_push(&(s)->as_slots, (top), sizeof *(s)->items)
// Removes the top item of a chain, which must not be empty, and gives its slot back.
#define TP_SLOTS_POP(s, top) tp_slots_pop(&(s)->as_slots, (top), sizeof *(s)->items)
// Gives back all slots and keeps the memory.
#define TP_SLOTS_CLEAR(s) ((void)((s)->count = (s)->free = 0))

// The same operations for items whose size only the owner knows: at least 4 bytes, the same in all
// calls.
uint32_t tp_slots_take(struct tp_slots *s, size_t item_bytes) TP_MUST_USE;
void tp_slots_give(struct tp_slots *s, uint32_t slot, size_t item_bytes);
bool tp_slots_push(struct tp_slots *s, uint32_t *top, size_t item_bytes) TP_MUST_USE;
void tp_slots_pop(struct tp_slots *s, uint32_t *top, size_t item_bytes);

// Returns the item in a slot, valid until the next slot is taken.
TP_INLINE void *tp_slots_at(const struct tp_slots *s, uint32_t slot, size_t item_bytes)
{
    return (unsigned char *)s->list.items + slot * item_bytes;
}

#endif
