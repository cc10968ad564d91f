// A map from 64-bit ids to 32-bit indices for tables that are filled once and then
// read: ids of traces are mostly dense from 1, so small ones (below 2^14, or above that
// by no more than twice the count) stand in an array, the others in an open-addressed
// table. The array is up to 128 KiB for the first id, and in the end 8 bytes an id.
//
// Belongs to one thread while it is filled; after that any thread may read. Knows
// no limit: owners that have one ask tp_idmap_growth_bytes first.
#ifndef TP_BASE_IDMAP_H
#define TP_BASE_IDMAP_H

#include "base/attr.h"

struct tp_idmap {
    uint32_t *dense;        // index + 1; 0: free
    size_t dense_count;     // ids below this stand in `dense`
    struct tp_idmap_slot {
        uint64_t id;
        uint32_t idx_plus_1;
    } *slots;
    size_t slot_count;      // a power of two, or 0
    size_t used_slot_count;
    size_t id_count;        // in both
    size_t memory_bytes;
};

void tp_idmap_init(struct tp_idmap *m);
void tp_idmap_fini(struct tp_idmap *m); // zeroed is fine

// `idx` below UINT32_MAX; the id must not be in the map. False: out of memory, and
// the map is as before.
bool tp_idmap_put(struct tp_idmap *m, uint64_t id, uint32_t idx) TP_MUST_USE;

// How much memory_bytes grows at most if `id` is put next; mostly 0.
size_t tp_idmap_growth_bytes(const struct tp_idmap *m, uint64_t id);

uint32_t tp_idmap_get_sparse(const struct tp_idmap *m, uint64_t id, uint32_t none);

TP_INLINE uint32_t tp_idmap_get(const struct tp_idmap *m, uint64_t id, uint32_t none)
{
    if (tp_likely(id < m->dense_count)) {
        uint32_t idx_plus_1 = m->dense[id];
        return idx_plus_1 != 0 ? idx_plus_1 - 1 : none;
    }
    return m->used_slot_count == 0 ? none : tp_idmap_get_sparse(m, id, none);
}

#endif
