// A map from 64-bit ids to 32-bit indices, for tables that are filled once and then read. Ids of
// traces are mostly dense from 1. So ids below 2^14 plus twice the number of ids stand in an
// array, the others in a hash table. The array takes at most 128 KiB for the first id, and at most
// 8 bytes per id once there are many dense ones.
//
// Belongs to one thread while it is filled; after that any thread may read. A zeroed map is empty.
// The map knows no limit of memory: an owner that has one calls tp_idmap_growth_bytes before each
// put.
#ifndef TP_BASE_IDMAP_H
#define TP_BASE_IDMAP_H

#include "base/list.h"
#include "base/map.h"

// The index of an id that is not in the map.
#define TP_IDMAP_NONE UINT32_MAX

// A map. Owns its memory.
struct tp_idmap {
    TP_LIST(uint32_t) dense; // index of each id below its count, or TP_IDMAP_NONE
    struct tp_map sparse;    // index + 1 of each other id
    size_t id_count;         // ids in `dense` and `sparse` together
};

// Frees the memory; the map is empty then.
void tp_idmap_fini(struct tp_idmap *m);

// Returns the memory of the map, in bytes.
TP_INLINE size_t tp_idmap_bytes(const struct tp_idmap *m)
{
    return m->dense.count * sizeof *m->dense.items + tp_map_bytes(&m->sparse);
}

// Adds an id, which must not be in the map. False: out of memory, and the map is as before.
bool tp_idmap_put(struct tp_idmap *m, uint64_t id, uint32_t idx) TP_MUST_USE;

// Returns by how much tp_idmap_bytes grows at most if `id` is put next; mostly 0.
size_t tp_idmap_growth_bytes(const struct tp_idmap *m, uint64_t id);

// Returns the index of an id. TP_IDMAP_NONE: the id is not in the map.
TP_INLINE uint32_t tp_idmap_get(const struct tp_idmap *m, uint64_t id)
{
    return tp_likely(id < m->dense.count) ? m->dense.items[id] : tp_map_get(&m->sparse, id) - 1;
}

#endif
