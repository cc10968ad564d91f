// Finds items of a list by their contents: a hash table of item numbers, four bytes per slot. Meant
// for long lists, for which a table that stores ids, too (base/map.h), would take much more memory.
// The owner of the list compares items and computes their hashes: any number that differs for
// different items, mostly; contents that are a number are their own hash, best with
// consecutive values. The table uses open
// addressing and removes items without tombstones. No caller can see the order of slots.
//
// Owns the table, not the list. One thread at a time. A zeroed index is empty.
#ifndef TP_BASE_INDEX_H
#define TP_BASE_INDEX_H

#include "base/hash_key.h"

// No item: no number of an item has this value.
#define TP_INDEX_NONE UINT32_MAX

// The table.
struct tp_index {
    uint32_t *numbers; // TP_INDEX_NONE: free
    uint32_t count;    // of all slots, a power of two; 0: none
    unsigned shift;    // of tp_hash_slot
};

// Returns the hash of the item with this number; always the same for an item in the index.
typedef uint64_t tp_index_hash_fn(const void *list, uint32_t number);
// Whether the item with this number has the contents `key`.
typedef bool tp_index_is_fn(const void *list, uint32_t number, const void *key);

// Frees the table; the index is empty then.
void tp_index_fini(struct tp_index *x);

// Returns the memory of the table, in bytes.
TP_INLINE size_t tp_index_bytes(const struct tp_index *x)
{
    return x->count * sizeof *x->numbers;
}

// Returns the slot in which a search for this hash begins. The table must have slots.
TP_INLINE uint32_t tp_index_home(const struct tp_index *x, uint64_t hash)
{
    return (uint32_t)tp_hash_slot(hash, x->shift);
}
// Returns the slot in which a search goes on after slot `at`.
TP_INLINE uint32_t tp_index_next(const struct tp_index *x, uint32_t at)
{
    return (at + 1) & (x->count - 1);
}

// Returns the number of the item with the contents `key`, whose hash is `hash`. TP_INDEX_NONE: the
// index has no such item. Inlined together with `is` if the caller names that function.
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

// Prefetches the slot in which a later search for this hash will begin.
TP_INLINE void tp_index_prefetch(const struct tp_index *x, uint64_t hash)
{
    if (x->count > 0)
        __builtin_prefetch(&x->numbers[tp_index_home(x, hash)]);
}
// Returns the contents of the slot in which a search for this hash begins: most likely the number
// of the item with this hash. TP_INDEX_NONE: the slot is free.
TP_INLINE uint32_t tp_index_guess(const struct tp_index *x, uint64_t hash)
{
    return x->count > 0 ? x->numbers[tp_index_home(x, hash)] : TP_INDEX_NONE;
}

// Returns by how many bytes the next tp_index_make_room, with the same `count`, grows the table;
// mostly 0.
size_t tp_index_growth_bytes(const struct tp_index *x, uint32_t count);
// Makes room for one more item, if the index has `count` items now. These must be the first
// `count` items of the list. False: out of memory, and nothing has changed.
bool tp_index_make_room(struct tp_index *x, uint32_t count, tp_index_hash_fn *hash_of,
                        const void *list) TP_MUST_USE;
// Makes room as tp_index_make_room does, within a limit: the bytes by which the table grows are
// taken from *room_bytes. Returns 0, TP_E_LIMIT (the table would grow by more than *room_bytes) or
// TP_E_MEMORY; on failure nothing has changed.
int tp_index_make_room_within(struct tp_index *x, uint32_t count, tp_index_hash_fn *hash_of,
                              const void *list, size_t *room_bytes) TP_MUST_USE;
// Adds an item that is not in the index; there must be room. Returns its number.
uint32_t tp_index_put(struct tp_index *x, uint64_t hash, uint32_t number);
// Removes an item that is in the index. `hash_of` must still give the hash of this item and of all
// others.
void tp_index_remove(struct tp_index *x, uint32_t number, tp_index_hash_fn *hash_of,
                     const void *list);
// Gives an item that is in the index, and has this hash, another number.
void tp_index_set(struct tp_index *x, uint64_t hash, uint32_t number, uint32_t new_number);
// Removes all items and keeps the memory.
void tp_index_clear(struct tp_index *x);
// Replaces the contents by the items with numbers below `count`, which must not exceed the number
// of items before.
void tp_index_refill(struct tp_index *x, uint32_t count, tp_index_hash_fn *hash_of,
                     const void *list);

#endif
