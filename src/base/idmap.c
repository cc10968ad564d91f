// Ids come in any order. An id that is too large for the array when it is put goes to a slot,
// and moves to the array once the array has grown past it. Its slot stays taken but is never
// found, because the lookup of a small id reads the array only. The next growth of the
// slots drops it.
#include "base/idmap.h"

#include <assert.h>
#include <string.h>

#include "base/alloc.h"

#define FIRST_DENSE 64
#define FIRST_SLOTS 16
// Ids below this always stand in the array: the runtime writes stacks in the order of a hash
// table, so the first ids to come may be as large as any.
#define ALWAYS_DENSE (1 << 14)

void tp_idmap_init(struct tp_idmap *m)
{
    *m = (struct tp_idmap){0};
}

void tp_idmap_fini(struct tp_idmap *m)
{
    tp_free(m->dense);
    tp_free(m->slots);
    *m = (struct tp_idmap){0};
}

static size_t home_of(const struct tp_idmap *m, uint64_t id)
{
    // Ids are consecutive numbers, or addresses: mix all bits.
    uint64_t mixed = (id ^ id >> 32) * UINT64_C(0x9e3779b97f4a7c15);
    return (size_t)(mixed >> 32 ^ mixed >> 52) & (m->slot_count - 1);
}

uint32_t tp_idmap_get_sparse(const struct tp_idmap *m, uint64_t id, uint32_t none)
{
    for (size_t at = home_of(m, id); m->slots[at].idx_plus_1 != 0;
         at = (at + 1) & (m->slot_count - 1)) {
        if (m->slots[at].id == id)
            return m->slots[at].idx_plus_1 - 1;
    }
    return none;
}

// Whether the array takes the id: dense ids may have as many gaps as there are ids, beside
// the size of a small array.
static bool is_dense(const struct tp_idmap *m, uint64_t id)
{
    return id < m->dense_count || id < 2 * ((uint64_t)m->id_count + 1) + ALWAYS_DENSE;
}

static size_t dense_count_for(const struct tp_idmap *m, uint64_t id)
{
    size_t count = m->dense_count == 0 ? FIRST_DENSE : m->dense_count;
    while (count <= id)
        count *= 2;
    return count;
}

// Keeps the table at most three quarters full.
static bool slots_are_full(const struct tp_idmap *m)
{
    return 4 * (m->used_slot_count + 1) > 3 * m->slot_count;
}

static size_t next_slot_count(const struct tp_idmap *m)
{
    return m->slot_count == 0 ? FIRST_SLOTS : 2 * m->slot_count;
}

size_t tp_idmap_growth_bytes(const struct tp_idmap *m, uint64_t id)
{
    if (tp_likely(id < m->dense_count))
        return 0;
    if (is_dense(m, id))
        return (dense_count_for(m, id) - m->dense_count) * sizeof *m->dense;
    return slots_are_full(m) ? (next_slot_count(m) - m->slot_count) * sizeof *m->slots : 0;
}

static void link_slot(struct tp_idmap *m, struct tp_idmap_slot slot)
{
    size_t at = home_of(m, slot.id);
    while (m->slots[at].idx_plus_1 != 0)
        at = (at + 1) & (m->slot_count - 1);
    m->slots[at] = slot;
    m->used_slot_count++;
}

// Moves the ids that the array has grown past from their slots to the array. If no id is left
// in the slots, empties them.
static void move_slots(struct tp_idmap *m)
{
    size_t left_count = 0;
    for (size_t i = 0; i < m->slot_count; i++) {
        const struct tp_idmap_slot *slot = &m->slots[i];
        if (slot->idx_plus_1 == 0)
            continue;
        if (slot->id < m->dense_count)
            m->dense[slot->id] = slot->idx_plus_1;
        else
            left_count++;
    }
    if (left_count == 0 && m->slot_count > 0) {
        memset(m->slots, 0, m->slot_count * sizeof *m->slots);
        m->used_slot_count = 0;
    }
}

static bool grow_dense(struct tp_idmap *m, uint64_t id)
{
    size_t count = dense_count_for(m, id);
    uint32_t *dense = tp_realloc(m->dense, count * sizeof *dense);
    if (dense == NULL)
        return false;
    memset(dense + m->dense_count, 0, (count - m->dense_count) * sizeof *dense);
    m->memory_bytes += (count - m->dense_count) * sizeof *dense;
    m->dense = dense;
    m->dense_count = count;
    move_slots(m);
    return true;
}

static bool grow_slots(struct tp_idmap *m)
{
    struct tp_idmap grown = *m;
    grown.slot_count = next_slot_count(m);
    grown.used_slot_count = 0;
    grown.slots = tp_alloc_zero(grown.slot_count * sizeof *grown.slots);
    if (grown.slots == NULL)
        return false;
    for (size_t i = 0; i < m->slot_count; i++) {
        if (m->slots[i].idx_plus_1 != 0 && m->slots[i].id >= m->dense_count)
            link_slot(&grown, m->slots[i]);
    }
    grown.memory_bytes += (grown.slot_count - m->slot_count) * sizeof *m->slots;
    tp_free(m->slots);
    *m = grown;
    return true;
}

bool tp_idmap_put(struct tp_idmap *m, uint64_t id, uint32_t idx)
{
    assert(idx < UINT32_MAX);
    if (is_dense(m, id)) {
        if (id >= m->dense_count && !grow_dense(m, id))
            return false;
        m->dense[id] = idx + 1;
    } else {
        if (slots_are_full(m) && !grow_slots(m))
            return false;
        link_slot(m, (struct tp_idmap_slot){id, idx + 1});
    }
    m->id_count++;
    return true;
}
