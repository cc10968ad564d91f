// Finds items of a list by their contents: a hash table of item numbers, four bytes per slot.
// For lists so long that a table with ids (base/map.h) would be large beside them. The owner
// of the list compares items and computes their hashes, whose upper half chooses the slot.
// Open addressing, removal without tombstones. No caller can see the order of slots.
//
// One thread at a time. Zeroed is empty.
#ifndef TP_BASE_SLOTS_H
#define TP_BASE_SLOTS_H

#include "base/attr.h"

// The table. Owns its memory, but not the list.
struct tp_slots {
    uint32_t *numbers_plus_1; // 0: free
    uint32_t count;           // of slots, a power of two; 0: none
};

// Returns the hash of item `number` of the list.
typedef uint64_t tp_slots_hash(const void *list, uint32_t number);

// Frees the memory; the table is then empty.
void tp_slots_fini(struct tp_slots *s);

// Memory of the table.
TP_INLINE size_t tp_slots_bytes(const struct tp_slots *s)
{
    return s->count * sizeof *s->numbers_plus_1;
}

// The slot at which the search for an item of this hash begins. There must be slots.
TP_INLINE uint32_t tp_slots_home(const struct tp_slots *s, uint64_t hash)
{
    return (uint32_t)(hash >> 32) & (s->count - 1);
}
// The next slot of the search.
TP_INLINE uint32_t tp_slots_next(const struct tp_slots *s, uint32_t at)
{
    return (at + 1) & (s->count - 1);
}

// Makes room for one item beside the `count` items in the table. False: out of memory, and
// nothing has changed.
bool tp_slots_make_room(struct tp_slots *s, uint32_t count, tp_slots_hash *hash_of,
                        const void *list) TP_MUST_USE;
// Adds an item that is not in the table; tp_slots_make_room comes before.
void tp_slots_put(struct tp_slots *s, uint64_t hash, uint32_t number);
// Removes an item that is in the table. `hash_of` must still work for it and all others.
void tp_slots_remove(struct tp_slots *s, uint32_t number, tp_slots_hash *hash_of,
                     const void *list);
// Changes the number of an item that is in the table; `hash` is the hash of the item.
void tp_slots_set(struct tp_slots *s, uint64_t hash, uint32_t number, uint32_t new_number);
// Removes all items and keeps the memory.
void tp_slots_clear(struct tp_slots *s);
// Replaces the contents by the items 0 to `count` - 1, which must not be more than before.
void tp_slots_refill(struct tp_slots *s, uint32_t count, tp_slots_hash *hash_of,
                     const void *list);

#endif
