// A table of items of one size by id, for items that come and go: goroutines, Ps, tasks. A new
// item takes the place of a removed one. Adding an item may move all others.
//
// One thread at a time. Zeroed is an empty slab.
#ifndef TP_BASE_SLAB_H
#define TP_BASE_SLAB_H

#include "base/list.h"
#include "base/map.h"

// Owns its memory and the items. Memory grows with the most items there ever were at once.
struct tp_slab {
    size_t each_bytes;    // set by the first add
    struct tp_map by_id;
    TP_LIST(unsigned char); // a removed item links to the next removed one by its first 4 bytes
    uint32_t free_plus_1; // the removed item that was removed last; 0: none
};

// Frees all memory, but nothing that the items point to.
void tp_slab_fini(struct tp_slab *s);

// Memory of `count` items and their entries in the map.
TP_INLINE size_t tp_slab_bytes(const struct tp_slab *s)
{
    return s->count * (s->each_bytes + sizeof(struct tp_map_entry));
}

// The item of an id, valid until the next add; NULL: the id has none.
TP_INLINE void *tp_slab_get(const struct tp_slab *s, uint64_t id)
{
    uint32_t slot = tp_map_get(&s->by_id, id);
    return slot != TP_MAP_NONE ? s->items + slot * s->each_bytes : NULL;
}

// Adds a zeroed item for an id that has none. `each_bytes` is the same in all calls, and at
// least 4. NULL: out of memory, and nothing has changed.
void *tp_slab_add(struct tp_slab *s, uint64_t id, size_t each_bytes) TP_MUST_USE;
// Removes the item of an id. Does nothing if the id has none.
void tp_slab_remove(struct tp_slab *s, uint64_t id);

// The item of an id; adds a zeroed one if the id has none. NULL: out of memory.
TP_INLINE void *tp_slab_get_or_add(struct tp_slab *s, uint64_t id, size_t each_bytes)
{
    void *known = tp_slab_get(s, id);
    return tp_likely(known != NULL) ? known : tp_slab_add(s, id, each_bytes);
}

#endif
