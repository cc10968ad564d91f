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
    const struct tp_g_state g = {
        .id = id, .seq = {o->generation, 0}, .status = status, .is_live = true};
    return add(o, &o->gs.as_slab, (uint64_t)id, &g, sizeof g, ret_slot, err);
}

TP_NOINLINE void tp_order_remove_g(struct tp_order *o, uint32_t slot)
{
    struct tp_g_state *g = &o->gs.items[slot];
    tp_order_remove_ranges(o, &g->range);
    tp_order_remove_regions(o, g);
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

// LISTS AND RANGES

static bool say_no_room(const struct tp_order *o, struct tp_error *err)
{
    tp_fail(err, TP_E_LIMIT, "open ranges and regions do not fit into %llu MiB",
            (unsigned long long)(o->max_bytes >> 20));
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
        return say_no_room(o, err);
    return rc == 0 || tp_order_no_memory(err) == 0;
}

bool tp_order_has_range(const struct tp_order *o, uint32_t first, struct tp_range_key key)
{
    for (uint32_t at = first; at != 0; at = o->ranges.items[at].next) {
        const struct tp_range_key *k = &o->ranges.items[at].key;
        if (k->type == key.type && k->detail == key.detail)
            return true;
    }
    return false;
}

// Whether `l` needs more memory for one more item than the limit allows.
static bool exceeds(const struct tp_order *o, const struct tp_slots *s, size_t item_bytes)
{
    const struct tp_list *l = &s->list;
    bool grows = s->free == 0 && l->capacity - l->count < 2;
    uint64_t more_bytes = (uint64_t)(l->capacity + 1) * item_bytes;
    return tp_unlikely(grows) && tp_order_bytes(o) + more_bytes > o->max_bytes;
}

bool tp_order_add_range(struct tp_order *o, uint32_t *first, struct tp_range_key key,
                        struct tp_error *err)
{
    if (exceeds(o, &o->ranges.as_slots, sizeof *o->ranges.items))
        return say_no_room(o, err);
    uint32_t slot = TP_SLOTS_TAKE(&o->ranges);
    if (slot == 0)
        return tp_order_no_memory(err) == 0;
    o->ranges.items[slot] = (struct tp_open_range){.key = key};
    while (*first != 0)
        first = &o->ranges.items[*first].next;
    *first = slot;
    return true;
}

bool tp_order_end_range(struct tp_order *o, uint32_t *first, uint8_t type, uint64_t *ret_detail)
{
    struct tp_open_range *items = o->ranges.items;
    uint32_t ended = *first;
    while (ended != 0 && items[ended].key.type != type)
        ended = items[ended].next;
    if (ended == 0)
        return false;
    *ret_detail = items[ended].key.detail;
    while (items[*first].next != 0)
        first = &items[*first].next;
    items[ended].key = items[*first].key;
    TP_SLOTS_POP(&o->ranges, first);
    return true;
}

void tp_order_remove_ranges(struct tp_order *o, uint32_t *first)
{
    while (*first != 0)
        TP_SLOTS_POP(&o->ranges, first);
}

// REGIONS

struct tp_span tp_order_name(const struct tp_order *o, tp_name_ref name)
{
    const struct tp_tables *t = o->tables;
    return name & TP_NAME_CARRIED ? tp_intern_text(&t->carried->texts, (uint32_t)name)
                                  : t->strings.items[name];
}

TP_NOINLINE bool tp_order_is_name(const struct tp_order *o, tp_name_ref a, tp_name_ref b)
{
    struct tp_span text = tp_order_name(o, b);
    return tp_span_equals(tp_order_name(o, a), text.ptr, text.len_bytes);
}

bool tp_order_push_region(struct tp_order *o, struct tp_g_state *g, struct tp_nest_key key,
                          uint64_t stack, struct tp_error *err)
{
    if (exceeds(o, &o->regions.as_nests.slots, sizeof *o->regions.items))
        return say_no_room(o, err);
    if (!TP_NESTS_PUSH(&o->regions, &g->region, (uint64_t)g->id, key))
        return tp_order_no_memory(err) == 0;
    struct tp_open_region *region = &o->regions.items[g->region];
    region->stack = stack & (UINT64_MAX >> 2);
    region->is_carried = region->is_nameless = false;
    return true;
}

uint32_t tp_order_find_region(struct tp_order *o, const struct tp_g_state *g,
                              struct tp_nest_key key)
{
    uint32_t at = g->region;
    // Several strings of a generation may have the same text, which is compared only here.
    for (unsigned look = 0; at != 0 && look < TP_NEST_LOOKS; look++) {
        if (tp_order_is_region(o, tp_order_region_key(o, at), key))
            return at;
        at = o->regions.items[at].nest.next;
    }
    uint32_t slot =
        at != 0 ? TP_NESTS_FIND(&o->regions, g->region, (uint64_t)g->id, key) : 0;
    if (slot != 0 || at == 0)
        return slot;
    // Regions from earlier generations are outside all others.
    const struct tp_carried_names *names = o->tables->carried;
    uint32_t carried = names != NULL ? tp_intern_find(&names->texts, tp_order_name(o, key.name))
                                     : TP_INTERN_NONE;
    key.name = TP_NAME_CARRIED | carried;
    return carried != TP_INTERN_NONE
               ? TP_NESTS_FIND(&o->regions, g->region, (uint64_t)g->id, key)
               : 0;
}

void tp_order_remove_regions(struct tp_order *o, struct tp_g_state *g)
{
    while (g->region != 0)
        tp_order_remove_region(o, g, g->region);
}

void tp_order_forget_regions(struct tp_order *o)
{
    for (uint32_t i = 1; i <= o->gs.count; i++) {
        tp_order_remove_regions(o, &o->gs.items[i]);
        o->gs.items[i].is_new = false;
    }
}

// LIFETIME

void tp_order_init(struct tp_order *o, uint64_t max_bytes)
{
    *o = (struct tp_order){.max_bytes = max_bytes};
}

void tp_order_fini(struct tp_order *o)
{
    tp_free(o->ranges.items);
    TP_NESTS_FINI(&o->regions);
    tp_ended_tasks_fini(&o->ended_tasks);
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

// The copy has no index of its regions, and no tasks that have ended: only doubts need these, and
// nobody sees those of a copy.
static bool copy_regions(struct tp_order *o)
{
    struct tp_list *l = &o->regions.as_nests.slots.list;
    o->regions.by_hash = (struct tp_map){0};
    o->regions.drop_count++;
    o->ended_tasks = (struct tp_ended_tasks){0};
    return copy_list(l, (size_t)l->count + 1, sizeof *o->regions.items);
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
    struct tp_list *ranges = &o->ranges.as_slots.list;
    ok = copy_list(ranges, (size_t)ranges->count + 1, sizeof *o->ranges.items) && ok;
    return copy_regions(o) && ok;
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
           tp_map_bytes(&o->ps.by_id) + tp_map_bytes(&o->ms.by_id) + tp_map_bytes(&o->tasks.by_id) +
           o->ranges.capacity * sizeof *o->ranges.items +
           o->regions.capacity * sizeof *o->regions.items + tp_map_bytes(&o->regions.by_hash) +
           tp_ended_tasks_bytes(&o->ended_tasks);
}
