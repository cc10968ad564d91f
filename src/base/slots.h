// Finds items of a list by what they are: a hash table of their numbers alone, four bytes a slot,
// for lists so long that ids beside the numbers (base/map.h) would be a large part of them. The
// owner of the list compares its items, and tells their hashes, of which the upper half counts.
// Open addressing, removal without gravestones; the order of slots is never used.
//
// Plain memory of one thread. Zeroed is empty.
#ifndef TP_BASE_SLOTS_H
#define TP_BASE_SLOTS_H

#include "base/attr.h"

struct tp_slots {
    uint32_t *numbers_plus_1; // 0: free
    uint32_t count;           // of all slots, a power of two; 0: none
};

// The hash of an item by its number.
typedef uint64_t tp_slots_hash(const void *list, uint32_t number);

void tp_slots_fini(struct tp_slots *s);

TP_INLINE size_t tp_slots_bytes(const struct tp_slots *s)
{
    return s->count * sizeof *s->numbers_plus_1;
}

// Where an item of this hash begins to be looked for; there are slots.
TP_INLINE uint32_t tp_slots_home(const struct tp_slots *s, uint64_t hash)
{
    return (uint32_t)(hash >> 32) & (s->count - 1);
}
TP_INLINE uint32_t tp_slots_next(const struct tp_slots *s, uint32_t at)
{
    return (at + 1) & (s->count - 1);
}

// Makes room for one item more than `count`. False: out of memory, and nothing has changed.
bool tp_slots_make_room(struct tp_slots *s, uint32_t count, tp_slots_hash *hash_of,
                        const void *list) TP_MUST_USE;
// An item that is not in there, for which there is room.
void tp_slots_put(struct tp_slots *s, uint64_t hash, uint32_t number);
// An item that is in there, while `hash_of` still knows it and all others.
void tp_slots_remove(struct tp_slots *s, uint32_t number, tp_slots_hash *hash_of,
                     const void *list);
// An item that is in there has another number from now on. `hash` is that of the item.
void tp_slots_set(struct tp_slots *s, uint64_t hash, uint32_t number, uint32_t new_number);
void tp_slots_clear(struct tp_slots *s); // keeps memory
// What is in there: all items below `count`, which are no more than there were.
void tp_slots_refill(struct tp_slots *s, uint32_t count, tp_slots_hash *hash_of,
                     const void *list);

#endif
