// Finds items of a list by their contents: a hash table of item numbers, four bytes per slot.
// For lists so long that a table with ids (base/map.h) would be large beside them. The owner
// of the list compares items and computes their hashes, whose upper half chooses the slot.
// Open addressing, removal without tombstones. No caller can see the order of slots.
//
// One thread at a time. Zeroed is empty.
#ifndef TP_BASE_INDEX_H
#define TP_BASE_INDEX_H

#include "base/attr.h"

#define TP_INDEX_NONE UINT32_MAX

struct tp_index {
    uint32_t *numbers; // TP_INDEX_NONE: free
    uint32_t count;    // of all slots, a power of two; 0: none
};

// The hash of the item with this number; whether it is the one that is looked for.
typedef uint64_t tp_index_hash_fn(const void *list, uint32_t number);
typedef bool tp_index_is_fn(const void *list, uint32_t number, const void *key);

void tp_index_fini(struct tp_index *x);

TP_INLINE size_t tp_index_bytes(const struct tp_index *x)
{
    return x->count * sizeof *x->numbers;
}

// Where an item with this hash is looked for first; there must be slots.
TP_INLINE uint32_t tp_index_home(const struct tp_index *x, uint64_t hash)
{
    return (uint32_t)(hash >> 32) & (x->count - 1);
}
TP_INLINE uint32_t tp_index_next(const struct tp_index *x, uint32_t at)
{
    return (at + 1) & (x->count - 1);
}

// TP_INDEX_NONE: there is none. Inlined with both functions where the caller names them.
TP_INLINE uint32_t tp_index_find(const struct tp_index *x, uint64_t hash, const void *list,
                                 tp_index_is_fn *is, const void *key)
{
    if (x->count == 0)
        return TP_INDEX_NONE;
    uint32_t at = tp_index_home(x, hash);
    while (x->numbers[at] != TP_INDEX_NONE && !is(list, x->numbers[at], key))
        at = tp_index_next(x, at);
    return x->numbers[at];
}

// Prefetches the slot of an item that will be looked for soon,
TP_INLINE void tp_index_prefetch(const struct tp_index *x, uint64_t hash)
{
    if (x->count > 0)
        __builtin_prefetch(&x->numbers[tp_index_home(x, hash)]);
}
// and reads it: most likely the number of that item. TP_INDEX_NONE: nothing is there.
TP_INLINE uint32_t tp_index_guess(const struct tp_index *x, uint64_t hash)
{
    return x->count > 0 ? x->numbers[tp_index_home(x, hash)] : TP_INDEX_NONE;
}

// By how much the next tp_index_make_room grows the index; mostly 0.
size_t tp_index_growth_bytes(const struct tp_index *x, uint32_t count);
// Makes room for one item more than `count`. False: out of memory, and nothing has changed.
bool tp_index_make_room(struct tp_index *x, uint32_t count, tp_index_hash_fn *hash_of,
                        const void *list) TP_MUST_USE;
// Adds an item that is not in the index; there must be room. Returns its number.
uint32_t tp_index_put(struct tp_index *x, uint64_t hash, uint32_t number);
// Removes an item that is in the index; `hash_of` must still know it and all others.
void tp_index_remove(struct tp_index *x, uint32_t number, tp_index_hash_fn *hash_of,
                     const void *list);
// Gives an item that is in the index, and has this hash, another number.
void tp_index_set(struct tp_index *x, uint64_t hash, uint32_t number, uint32_t new_number);
void tp_index_clear(struct tp_index *x); // keeps memory
// Replaces the contents by all items below `count`, which are no more than there were.
void tp_index_refill(struct tp_index *x, uint32_t count, tp_index_hash_fn *hash_of,
                     const void *list);

#endif
