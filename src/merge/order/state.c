#include "merge/order/state.h"

#include <string.h>

#include "base/alloc.h"

#define FIRST_LIST 2

// STATES

int tp_order_no_memory(struct tp_error *err)
{
    return tp_fail(err, TP_E_MEMORY, "out of memory for the states of goroutines and threads");
}

// Adds a copy of `state`, which has `state_bytes`, for the id. False after filling the error.
TP_INLINE bool add(struct tp_order *o, struct tp_slab *states, uint64_t id, const void *state,
                   size_t state_bytes, uint32_t *ret_slot, struct tp_error *err)
{
    const struct tp_list *l = &states->slots.list;
    uint64_t grown = l->capacity == 0 ? TP_LIST_FIRST : 2 * (uint64_t)l->capacity;
    bool grows = states->slots.free == 0 && l->capacity - l->count < 2;
    if (tp_unlikely(grows) && tp_order_bytes(o) + grown * state_bytes > o->max_bytes) {
        tp_fail(err, TP_E_LIMIT, "goroutines, threads and tasks do not fit into %llu MiB",
                (unsigned long long)(o->max_bytes >> 20));
        return false;
    }
    *ret_slot = tp_slab_add(states, id, state_bytes);
    if (*ret_slot == 0) {
        tp_order_no_memory(err);
        return false;
    }
    memcpy(tp_slots_at(&states->slots, *ret_slot, state_bytes), state, state_bytes);
    return true;
}

bool tp_order_add_g(struct tp_order *o, int64_t id, uint8_t status, uint32_t *ret_slot,
                    struct tp_error *err)
{
    // The lists of the slot's previous goroutine were freed with it.
    const struct tp_g_state g = {
        .id = id, .seq = {o->generation, 0}, .status = status, .is_live = true};
    return add(o, &o->gs.as_slab, (uint64_t)id, &g, sizeof g, ret_slot, err);
}

TP_NOINLINE void tp_order_remove_g(struct tp_order *o, uint32_t slot)
{
    struct tp_g_state *g = &o->gs.items[slot];
    o->list_bytes -= g->ranges.capacity * sizeof *g->ranges.items;
    o->list_bytes -= g->regions.capacity * sizeof *g->regions.items;
    tp_free(g->ranges.items);
    tp_free(g->regions.items);
    g->ranges = (struct tp_range_list){0};
    g->regions = (struct tp_region_list){0};
    g->is_live = false;
    TP_SLAB_REMOVE(&o->gs, g->id);
}

bool tp_order_add_p(struct tp_order *o, int64_t id, uint8_t status, uint32_t *ret_slot,
                    struct tp_error *err)
{
    const struct tp_p_state p = {.id = id, .seq = {o->generation, 0}, .status = status};
    return add(o, &o->ps.as_slab, (uint64_t)id, &p, sizeof p, ret_slot, err);
}

bool tp_order_add_m(struct tp_order *o, int64_t id, uint32_t *ret_slot, struct tp_error *err)
{
    const struct tp_m_state m = {.id = id, .at = {.p = -1, .g = -1}};
    return add(o, &o->ms.as_slab, (uint64_t)id, &m, sizeof m, ret_slot, err);
}

bool tp_order_add_task(struct tp_order *o, uint64_t id, uint64_t parent, tp_name_ref name,
                       uint32_t *ret_slot, struct tp_error *err)
{
    const struct tp_task_state task = {.id = id, .parent = parent, .name = name, .is_live = true};
    return add(o, &o->tasks.as_slab, id, &task, sizeof task, ret_slot, err);
}

void tp_order_remove_task(struct tp_order *o, uint32_t slot)
{
    o->tasks.items[slot].is_live = false;
    TP_SLAB_REMOVE(&o->tasks, o->tasks.items[slot].id);
}

// LISTS

bool tp_ranges_have(const struct tp_range_list *l, struct tp_range_key key)
{
    for (uint32_t i = 0; i < l->count; i++) {
        if (l->items[i].type == key.type && l->items[i].detail == key.detail)
            return true;
    }
    return false;
}

bool tp_order_grow_list(struct tp_order *o, struct tp_list *l, size_t item_bytes,
                        struct tp_error *err)
{
    uint64_t used_bytes = tp_order_bytes(o);
    size_t left_bytes = used_bytes < o->max_bytes ? o->max_bytes - used_bytes : 0;
    size_t room_bytes = left_bytes;
    int rc = tp_list_grow_within(l, FIRST_LIST, item_bytes, &room_bytes);
    o->list_bytes += left_bytes - room_bytes;
    if (rc == TP_E_LIMIT)
        tp_fail(err, TP_E_LIMIT, "open ranges and regions do not fit into %llu MiB",
                (unsigned long long)(o->max_bytes >> 20));
    else if (rc != 0)
        tp_order_no_memory(err);
    return rc == 0;
}

#define ADD(o, l, item, err)                                                                  \
    (((l)->count < (l)->capacity ||                                                           \
      tp_order_grow_list(o, &(l)->as_list, sizeof *(l)->items, err)) &&                                \
     ((l)->items[(l)->count++] = (item), true))

bool tp_order_add_range(struct tp_order *o, struct tp_range_list *l, struct tp_range_key key,
                        struct tp_error *err)
{
    return ADD(o, l, key, err);
}

bool tp_order_push_region(struct tp_order *o, struct tp_region_list *l, struct tp_region_key key,
                          struct tp_error *err)
{
    return ADD(o, l, key, err);
}

// LIFETIME

void tp_order_init(struct tp_order *o, uint64_t max_bytes)
{
    *o = (struct tp_order){.max_bytes = max_bytes};
}

void tp_order_fini(struct tp_order *o)
{
    for (uint32_t i = 1; i <= o->gs.count; i++) {
        tp_free(o->gs.items[i].ranges.items);
        tp_free(o->gs.items[i].regions.items);
    }
    for (uint32_t i = 1; i <= o->ps.count; i++)
        tp_free(o->ps.items[i].ranges.items);
    TP_SLAB_FINI(&o->gs);
    TP_SLAB_FINI(&o->ps);
    TP_SLAB_FINI(&o->ms);
    TP_SLAB_FINI(&o->tasks);
    tp_free(o->named_tasks.items);
    tp_free(o->named_gs.items);
    tp_tables_release(o->tables);
    *o = (struct tp_order){0};
}

void tp_order_reset(struct tp_order *o)
{
    struct tp_order fresh = {.max_bytes = o->max_bytes, .begins_in_middle = true};
    memcpy(fresh.hits, o->hits, sizeof fresh.hits);
    fresh.forced_look_count = o->forced_look_count;
    tp_order_fini(o);
    *o = fresh;
}

// COPIES

// Replaces the items, which belong to another list, with a copy of the first `used` items. False:
// out of memory, and the list has no memory.
static bool copy_list(struct tp_list *l, size_t used, size_t item_bytes)
{
    if (l->capacity == 0)
        return true;
    void *made = tp_alloc_array(used > 0 ? used : 1, item_bytes);
    if (made != NULL && used > 0)
        memcpy(made, l->items, used * item_bytes);
    l->items = made;
    l->capacity = made != NULL ? (uint32_t)(used > 0 ? used : 1) : 0;
    return made != NULL;
}

static bool copy_map(struct tp_map *map)
{
    struct tp_map_entry *entries = NULL;
    if (map->entries == NULL)
        return true;
    entries = tp_alloc_array(map->mask + 1, sizeof *entries);
    if (entries != NULL)
        memcpy(entries, map->entries, (map->mask + 1) * sizeof *entries);
    map->entries = entries;
    return entries != NULL;
}

static bool copy_slab(struct tp_slab *s, size_t item_bytes)
{
    struct tp_list *l = &s->slots.list;
    bool ok = copy_list(l, (size_t)l->count + 1, item_bytes);
    return copy_map(&s->by_id) && ok;
}

// Replaces the pointers in `o`, a shallow copy, with pointers to copies. After a failure none of
// the original's pointers that fini would free is left in `o`.
static bool copy_parts(struct tp_order *o)
{
    bool ok = copy_slab(&o->gs.as_slab, sizeof *o->gs.items);
    ok = copy_slab(&o->ps.as_slab, sizeof *o->ps.items) && ok;
    ok = copy_slab(&o->ms.as_slab, sizeof *o->ms.items) && ok;
    ok = copy_slab(&o->tasks.as_slab, sizeof *o->tasks.items) && ok;
    ok = copy_list(&o->named_tasks.as_list, o->named_tasks.count, sizeof *o->named_tasks.items) &&
         ok;
    ok = copy_list(&o->named_gs.as_list, o->named_gs.count, sizeof *o->named_gs.items) && ok;
    if (!ok) {
        // The lists of goroutines and Ps still belong to the original, so fini must not free them.
        o->gs.count = o->ps.count = 0;
        return false;
    }
    for (uint32_t i = 1; i <= o->gs.count; i++) {
        struct tp_g_state *g = &o->gs.items[i];
        ok = copy_list(&g->ranges.as_list, g->ranges.count, sizeof *g->ranges.items) && ok;
        ok = copy_list(&g->regions.as_list, g->regions.count, sizeof *g->regions.items) && ok;
    }
    for (uint32_t i = 1; i <= o->ps.count; i++) {
        struct tp_range_list *ranges = &o->ps.items[i].ranges;
        ok = copy_list(&ranges->as_list, ranges->count, sizeof *ranges->items) && ok;
    }
    return ok;
}

int tp_order_copy(const struct tp_order *from, struct tp_order *ret_copy, struct tp_error *err)
{
    *ret_copy = *from;
    if (ret_copy->tables != NULL)
        tp_tables_hold(ret_copy->tables);
    if (copy_parts(ret_copy))
        return 0;
    tp_order_no_memory(err);
    tp_order_fini(ret_copy);
    return err->code;
}

uint64_t tp_order_bytes(const struct tp_order *o)
{
    const struct tp_carried_names *names = o->tables != NULL ? o->tables->carried : NULL;
    return o->list_bytes + (names != NULL ? tp_intern_bytes(&names->texts) : 0) +
           o->gs.capacity * sizeof *o->gs.items +
           o->ps.capacity * sizeof *o->ps.items + o->ms.capacity * sizeof *o->ms.items +
           o->tasks.capacity * sizeof *o->tasks.items + tp_map_bytes(&o->gs.by_id) +
           tp_map_bytes(&o->ps.by_id) + tp_map_bytes(&o->ms.by_id) + tp_map_bytes(&o->tasks.by_id);
}
