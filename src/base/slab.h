// Items of one type by id, for items that come and go: goroutines, Ps, threads, tasks. Consists of
// slots (slots.h) and a map from ids to slots.
//
// Owns its memory, which grows with the greatest number of items that existed at one time, but
// nothing that the items point to. One thread at a time. A zeroed slab is empty.
#ifndef TP_BASE_SLAB_H
#define TP_BASE_SLAB_H

#include <string.h>

#include "base/map.h"
#include "base/slots.h"

// A slab for code that knows only the size of an item. TP_SLAB(type) is the same with a type.
struct tp_slab {
    struct tp_slots slots;
    struct tp_map by_id;
};
#define TP_SLAB(type)             \
    union {                       \
        struct {                  \
            TP_SLOTS(type);       \
            struct tp_map by_id;  \
        };                        \
        struct tp_slab as_slab;   \
    }

// Returns the item of an id, valid until the next add; NULL: the id has no item.
#define TP_SLAB_GET(s, id)                                                                         \
    ((__typeof__((s)->items))tp_slab_get(&(s)->as_slab, (uint64_t)(id), sizeof *(s)->items))
// Returns the item of an id as TP_SLAB_GET does, and adds a zeroed item if the id has none. NULL:
// out of memory.
#define TP_SLAB_GET_OR_ADD(s, id)                                                                  \
    ((__typeof__((s)->items))tp_slab_get_or_add(&(s)->as_slab, (uint64_t)(id), sizeof *(s)->items))
// Adds an item for an id that has none and returns its slot; the caller fills it in. 0: out of
// memory, and nothing has changed.
#define TP_SLAB_ADD(s, id) tp_slab_add(&(s)->as_slab, (uint64_t)(id), sizeof *(s)->items)
// Removes the item of an id; others keep their slots. Does nothing if the id has no item.
#define TP_SLAB_REMOVE(s, id) tp_slab_remove(&(s)->as_slab, (uint64_t)(id), sizeof *(s)->items)
// Returns the memory of all items and of their entries in the map, in bytes.
#define TP_SLAB_BYTES(s) tp_slab_bytes(&(s)->as_slab, sizeof *(s)->items)
// Frees all memory; the slab is empty then.
#define TP_SLAB_FINI(s) tp_slab_fini(&(s)->as_slab)

// The same operations for items whose size only the owner knows. The size is at least 4 bytes, and
// the same in all calls. tp_slab_get_or_add zeroes the item that it adds.
TP_INLINE void *tp_slab_get(const struct tp_slab *s, uint64_t id, size_t item_bytes)
{
    uint32_t slot = tp_map_get(&s->by_id, id);
    return tp_likely(slot != 0) ? tp_slots_at(&s->slots, slot, item_bytes) : NULL;
}
TP_INLINE size_t tp_slab_bytes(const struct tp_slab *s, size_t item_bytes)
{
    return s->slots.list.count * (item_bytes + sizeof(struct tp_map_entry));
}
uint32_t tp_slab_add(struct tp_slab *s, uint64_t id, size_t item_bytes) TP_MUST_USE;
TP_INLINE TP_MUST_USE void *tp_slab_get_or_add(struct tp_slab *s, uint64_t id, size_t item_bytes)
{
    void *item = tp_slab_get(s, id, item_bytes);
    if (tp_likely(item != NULL))
        return item;
    uint32_t slot = tp_slab_add(s, id, item_bytes);
    return slot != 0 ? memset(tp_slots_at(&s->slots, slot, item_bytes), 0, item_bytes) : NULL;
}
void tp_slab_remove(struct tp_slab *s, uint64_t id, size_t item_bytes);
void tp_slab_fini(struct tp_slab *s);

#endif
