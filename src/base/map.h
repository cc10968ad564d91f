// A hash table from 64-bit ids to 32-bit slots, for ids that come and go: goroutines, Ps,
// threads, tasks. Open addressing, removal without tombstones. No caller can see the order
// of entries, so it cannot show in any output.
//
// One thread at a time. Zeroed is an empty map.
#ifndef TP_BASE_MAP_H
#define TP_BASE_MAP_H

#include "base/attr.h"

#define TP_MAP_NONE UINT32_MAX

// An entry of the table.
struct tp_map_entry {
    uint64_t id;
    uint32_t slot_plus_1; // 0: free
};

// Owns its memory, which grows with the most ids there ever were at once.
struct tp_map {
    struct tp_map_entry *entries;
    size_t mask;          // entries - 1
    size_t count;
    unsigned shift;       // of the hash: its top bits choose the entry
};

// Frees the memory; the map is then empty.
void tp_map_fini(struct tp_map *m);
// Removes all ids and keeps the memory.
void tp_map_clear(struct tp_map *m);
// Memory of the table.
size_t tp_map_bytes(const struct tp_map *m);

// Adds an id that is not in the map; `slot` is not TP_MAP_NONE. False: out of memory, and
// nothing has changed.
bool tp_map_put(struct tp_map *m, uint64_t id, uint32_t slot) TP_MUST_USE;
// Removes an id. Does nothing if it is not in the map.
void tp_map_remove(struct tp_map *m, uint64_t id);

// For this header and map.c: the entry at which the search for an id begins.
TP_INLINE size_t tp_map_home(const struct tp_map *m, uint64_t id)
{
    return (size_t)((id * UINT64_C(0x9e3779b97f4a7c15)) >> m->shift);
}

// Prefetches the entry of an id that the caller will look up or put soon.
TP_INLINE void tp_map_ask_for(const struct tp_map *m, uint64_t id)
{
    if (m->count > 0)
        __builtin_prefetch(&m->entries[tp_map_home(m, id)]);
}

// The slot of an id, or TP_MAP_NONE.
TP_INLINE uint32_t tp_map_get(const struct tp_map *m, uint64_t id)
{
    if (m->count == 0)
        return TP_MAP_NONE;
    for (size_t at = tp_map_home(m, id);; at = (at + 1) & m->mask) {
        const struct tp_map_entry *e = &m->entries[at];
        // For a free entry, whatever its id, slot_plus_1 - 1 is TP_MAP_NONE.
        if (e->id == id || e->slot_plus_1 == 0)
            return e->slot_plus_1 - 1;
    }
}

#endif
