// A hash table from 64-bit ids to 32-bit values other than 0, mostly slots (slots.h), for ids that
// come and go: goroutines, Ps, threads, tasks. Uses open addressing and removes without
// tombstones. No caller can see the order of entries, so it cannot show in any output.
//
// One thread at a time. A zeroed map is empty.
#ifndef TP_BASE_MAP_H
#define TP_BASE_MAP_H

#include "base/hash_key.h"

// No value: the id is not in the map. Cannot be put.
#define TP_MAP_NONE 0u

// An entry of the table.
struct tp_map_entry {
    uint64_t id;
    uint32_t value; // TP_MAP_NONE: free
};

// A map. Owns its memory, which grows with the greatest number of ids that it held at one time.
struct tp_map {
    struct tp_map_entry *entries;
    size_t mask;          // number of entries, a power of two, minus 1
    size_t count;         // of ids
    unsigned shift;       // drops all bits of a hash but the top ones, which choose the entry
};

// Frees the memory; the map is then empty.
void tp_map_fini(struct tp_map *m);
// Removes all ids and keeps the memory.
void tp_map_clear(struct tp_map *m);
// Returns the memory of the table, in bytes.
TP_INLINE size_t tp_map_bytes(const struct tp_map *m)
{
    return m->entries == NULL ? 0 : (m->mask + 1) * sizeof *m->entries;
}

// Returns by how much tp_map_bytes grows if another id is added next; mostly 0.
size_t tp_map_growth_bytes(const struct tp_map *m);
// Adds an id that is not in the map; `value` is not TP_MAP_NONE. False: out of memory, and
// nothing has changed.
bool tp_map_put(struct tp_map *m, uint64_t id, uint32_t value) TP_MUST_USE;
// Removes an id and returns its value. TP_MAP_NONE: the id is not in the map, and nothing changes.
uint32_t tp_map_remove(struct tp_map *m, uint64_t id);

// Returns the index of the entry at which the search for an id begins. For this header and map.c.
TP_INLINE size_t tp_map_home(const struct tp_map *m, uint64_t id)
{
    return tp_hash_slot(id, m->shift);
}

// Prefetches the entry of an id that the caller will look up or put soon.
TP_INLINE void tp_map_prefetch(const struct tp_map *m, uint64_t id)
{
    if (m->count > 0)
        __builtin_prefetch(&m->entries[tp_map_home(m, id)]);
}

// Returns the value of an id. TP_MAP_NONE: the id is not in the map.
TP_INLINE uint32_t tp_map_get(const struct tp_map *m, uint64_t id)
{
    if (m->count == 0)
        return TP_MAP_NONE;
    for (size_t at = tp_map_home(m, id);; at = (at + 1) & m->mask) {
        const struct tp_map_entry *e = &m->entries[at];
        // A free entry has no value, whatever its id is.
        if (e->id == id || e->value == TP_MAP_NONE)
            return e->value;
    }
}

#endif
