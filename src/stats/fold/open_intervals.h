// Open intervals by id: a list without holes, and a map from ids to items. One thread at a time
// uses it; zeroed is empty.
#ifndef TP_STATS_FOLD_OPEN_INTERVALS_H
#define TP_STATS_FOLD_OPEN_INTERVALS_H

#include "base/list.h"
#include "base/map.h"

// An interval that has begun and not ended.
struct tp_open {
    uint64_t id;
    int64_t since_ns; // time of its begin, or of the event that announced it
    uint32_t name;    // numbered by the owner
    // An event at the begin of the generation announced the interval: it began earlier, at a time
    // that only the stitch may know.
    bool is_active;
    // For partials only. is_replaced: an interval with this id began here, so the stitch drops
    // the one it has under this id. is_over: that interval has ended, too; nothing is open.
    bool is_replaced;
    bool is_over;
};

// Owns its memory. Removing an interval moves another one.
struct tp_open_intervals {
    struct tp_map by_id;
    TP_LIST(struct tp_open);
};

// Removes all intervals and keeps the memory.
void tp_open_intervals_clear(struct tp_open_intervals *o);
// Frees the memory; the list is then empty.
void tp_open_intervals_fini(struct tp_open_intervals *o);
// Adds an item with this id, which must not exist yet; the caller fills in the rest. NULL: out of
// memory.
struct tp_open *tp_open_intervals_add(struct tp_open_intervals *o, uint64_t id) TP_MUST_USE;
// `open` must be one of the items; another item moves to its place.
void tp_open_intervals_remove(struct tp_open_intervals *o, struct tp_open *open);

// The interval with this id, valid until the next add, put or remove; NULL: there is none.
TP_INLINE struct tp_open *tp_open_intervals_find(const struct tp_open_intervals *o, uint64_t id)
{
    uint32_t slot = tp_map_get(&o->by_id, id);
    return slot != TP_MAP_NONE ? &o->items[slot] : NULL;
}

// Adds an item, or replaces the one with the same id. False: out of memory.
TP_INLINE TP_MUST_USE bool tp_open_intervals_put(struct tp_open_intervals *o, struct tp_open open)
{
    struct tp_open *item = tp_open_intervals_find(o, open.id);
    if (tp_unlikely(item == NULL))
        item = tp_open_intervals_add(o, open.id);
    if (tp_likely(item != NULL))
        *item = open;
    return item != NULL;
}

// Memory of the items and their entries in the map.
TP_INLINE size_t tp_open_intervals_bytes(const struct tp_open_intervals *o)
{
    return o->count * (sizeof *o->items + sizeof(struct tp_map_entry));
}

#endif
