// Things of one size with ids that come and go: goroutines, Ps, tasks. What a removed one
// leaves is taken by the next that is added. Things move when one is added.
//
// Belongs to one thread at a time. Zeroed is an empty slab.
#ifndef TP_BASE_SLAB_H
#define TP_BASE_SLAB_H

#include "base/map.h"

struct tp_slab {
    size_t each_bytes;    // once there is one; a removed one has the next one in the first 4
    struct tp_map by_id;
    unsigned char *items;
    uint32_t count;       // the most there ever were at once
    uint32_t capacity;
    uint32_t free_plus_1;
};

void tp_slab_fini(struct tp_slab *s);

// What `count` things take, with what finds them.
TP_INLINE size_t tp_slab_bytes(const struct tp_slab *s)
{
    return s->count * (s->each_bytes + sizeof(struct tp_map_entry));
}

// NULL: there is none of this id.
TP_INLINE void *tp_slab_get(const struct tp_slab *s, uint64_t id)
{
    uint32_t slot = tp_map_get(&s->by_id, id);
    return slot != TP_MAP_NONE ? s->items + slot * s->each_bytes : NULL;
}

// Zeroed; the id must not be there. `each_bytes` is the same for all, and at least 4. NULL: out
// of memory.
void *tp_slab_add(struct tp_slab *s, uint64_t id, size_t each_bytes) TP_MUST_USE;
// Nothing happens if there is none.
void tp_slab_remove(struct tp_slab *s, uint64_t id);

TP_INLINE void *tp_slab_get_or_add(struct tp_slab *s, uint64_t id, size_t each_bytes)
{
    void *known = tp_slab_get(s, id);
    return tp_likely(known != NULL) ? known : tp_slab_add(s, id, each_bytes);
}

#endif
