// Ids come in any order. An id that is too large for the array when it is put goes to the hash
// table; it moves to the array as soon as the array has grown past it.
#include "base/idmap.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"

#define FIRST_DENSE 64
// Ids below this always stand in the array, even if the map is nearly empty: the runtime writes
// stacks in the order of a hash table, so the first stacks may have ids as large as any.
#define ALWAYS_DENSE (1 << 14)

void tp_idmap_fini(struct tp_idmap *m)
{
    tp_free(m->dense.items);
    tp_map_fini(&m->sparse);
    *m = (struct tp_idmap){0};
}

// Returns whether the id belongs in the array. Permits as many gaps as there are ids, and
// ALWAYS_DENSE places more; most ids pass this test when they are put, if ids are dense at all.
static bool is_dense(const struct tp_idmap *m, uint64_t id)
{
    return id < m->dense.count || id < 2 * ((uint64_t)m->id_count + 1) + ALWAYS_DENSE;
}

static size_t dense_count_for(const struct tp_idmap *m, uint64_t id)
{
    size_t count = m->dense.count == 0 ? FIRST_DENSE : m->dense.count;
    while (count <= id)
        count *= 2;
    return count;
}

size_t tp_idmap_growth_bytes(const struct tp_idmap *m, uint64_t id)
{
    if (tp_likely(id < m->dense.count))
        return 0;
    if (is_dense(m, id))
        return (dense_count_for(m, id) - m->dense.count) * sizeof *m->dense.items;
    return tp_map_growth_bytes(&m->sparse);
}

static void move_reached(struct tp_idmap *m, uint64_t first)
{
    for (uint64_t id = first; id < m->dense.count && m->sparse.count > 0; id++) {
        m->dense.items[id] = tp_map_get(&m->sparse, id) - 1;
        tp_map_remove(&m->sparse, id);
    }
}

static bool grow_dense(struct tp_idmap *m, uint64_t id)
{
    size_t before = m->dense.count, count = dense_count_for(m, id);
    if (!tp_list_resize(&m->dense.as_list, count, sizeof *m->dense.items))
        return false;
    memset(m->dense.items + before, 0xff, (count - before) * sizeof *m->dense.items);
    m->dense.count = (uint32_t)count;
    move_reached(m, before);
    return true;
}

bool tp_idmap_put(struct tp_idmap *m, uint64_t id, uint32_t idx)
{
    _Static_assert(TP_IDMAP_NONE == UINT32_MAX, "all bits of a free place are set");
    assert(idx < TP_IDMAP_NONE);
    if (is_dense(m, id)) {
        if (id >= m->dense.count && !grow_dense(m, id))
            return false;
        m->dense.items[id] = idx;
    } else if (!tp_map_put(&m->sparse, id, idx + 1)) {
        return false;
    }
    m->id_count++;
    return true;
}
