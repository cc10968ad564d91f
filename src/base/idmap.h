// A map from 64-bit ids to 32-bit indices, for tables that are filled once and then read.
// Ids of traces are mostly dense from 1, so small ids (below 2^14, or above that by no more
// than twice the count) stand in an array, the others in an open-addressed table. The array
// takes up to 128 KiB for the first id, and in the end about 8 bytes per id.
//
// One thread fills the map; afterwards any thread may read it. The map has no limit of its
// own: an owner with a limit asks tp_idmap_growth_bytes before it puts an id.
#ifndef TP_BASE_IDMAP_H
#define TP_BASE_IDMAP_H

#include "base/attr.h"

// Owns its memory. Callers use the functions only.
struct tp_idmap {
    uint32_t *dense;        // index + 1; 0: free
    size_t dense_count;     // ids below this stand in the array
    struct tp_idmap_slot {
        uint64_t id;
        uint32_t idx_plus_1;
    } *slots;
    size_t slot_count;      // a power of two, or 0
    size_t used_slot_count;
    size_t id_count;        // in the array and the table
    size_t memory_bytes;    // of both
};

// Makes an empty map, without memory.
void tp_idmap_init(struct tp_idmap *m);
// Frees the memory; a zeroed map is fine.
void tp_idmap_fini(struct tp_idmap *m);

// Adds an id that is not in the map; `idx` is below UINT32_MAX. False: out of memory, and
// the map is as before.
bool tp_idmap_put(struct tp_idmap *m, uint64_t id, uint32_t idx) TP_MUST_USE;

// Limit of the growth of memory_bytes if `id` is put next; mostly 0.
size_t tp_idmap_growth_bytes(const struct tp_idmap *m, uint64_t id);

// For tp_idmap_get only.
uint32_t tp_idmap_get_sparse(const struct tp_idmap *m, uint64_t id, uint32_t none);

// The index of an id; `none` if the id is not in the map.
TP_INLINE uint32_t tp_idmap_get(const struct tp_idmap *m, uint64_t id, uint32_t none)
{
    if (tp_likely(id < m->dense_count)) {
        uint32_t idx_plus_1 = m->dense[id];
        return idx_plus_1 != 0 ? idx_plus_1 - 1 : none;
    }
    return m->used_slot_count == 0 ? none : tp_idmap_get_sparse(m, id, none);
}

#endif
