// What is open, by id: a list without holes, and a map to find one in it. Plain memory of one
// thread; zeroed is empty.
#ifndef TP_STATS_FOLD_OPEN_INTERVALS_H
#define TP_STATS_FOLD_OPEN_INTERVALS_H

#include "base/map.h"

struct tp_open {
    uint64_t id;
    int64_t since_ns;
    uint32_t name;
    // Announced where the generation begins: it had begun before, unless the stitch
    // knows it.
    bool is_active;
    // In partials. Something with this id has begun here, so that what the stitch has
    // under it is no more; with is_over that has ended, too, and nothing is open.
    bool is_replaced;
    bool is_over;
};

struct tp_open_intervals {
    struct tp_map by_id;
    struct tp_open *items; // as of base/list.h
    uint32_t count;
    uint32_t capacity;
};

void tp_open_intervals_clear(struct tp_open_intervals *o); // keeps memory
void tp_open_intervals_fini(struct tp_open_intervals *o);
// One with this id, of which there is none; the rest is the caller's to fill in. NULL: out of
// memory.
struct tp_open *tp_open_intervals_add(struct tp_open_intervals *o, uint64_t id) TP_MUST_USE;
// `open` is one of the items; another one takes its place.
void tp_open_intervals_remove(struct tp_open_intervals *o, struct tp_open *open);

// NULL: there is none. Until the next put or remove.
TP_INLINE struct tp_open *tp_open_intervals_find(const struct tp_open_intervals *o, uint64_t id)
{
    uint32_t slot = tp_map_get(&o->by_id, id);
    return slot != TP_MAP_NONE ? &o->items[slot] : NULL;
}

// False: out of memory. One with the same id is no more.
TP_INLINE TP_MUST_USE bool tp_open_intervals_put(struct tp_open_intervals *o, struct tp_open open)
{
    struct tp_open *item = tp_open_intervals_find(o, open.id);
    if (tp_unlikely(item == NULL))
        item = tp_open_intervals_add(o, open.id);
    if (tp_likely(item != NULL))
        *item = open;
    return item != NULL;
}

TP_INLINE size_t tp_open_intervals_bytes(const struct tp_open_intervals *o)
{
    return o->count * (sizeof *o->items + sizeof(struct tp_map_entry));
}

#endif
