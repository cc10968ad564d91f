#include "merge/order/state.h"

#include <string.h>

#include "base/alloc.h"
#include "base/digest.h"

#define FIRST_SLOTS 16
#define FIRST_LIST 2

// SLABS

static int no_memory(struct tp_error *err)
{
    return tp_fail(err, TP_E_MEMORY, "out of memory for the states of goroutines and threads");
}

// Makes room for one more item of `each_bytes`. False after filling the error.
static bool grow(struct tp_order *o, void **items, uint32_t count, uint32_t *capacity,
                 size_t each_bytes, struct tp_error *err)
{
    if (count < *capacity)
        return true;
    uint32_t wanted = *capacity == 0 ? FIRST_SLOTS : 2 * *capacity;
    if (tp_order_bytes(o) + wanted * each_bytes > o->max_bytes) {
        tp_fail(err, TP_E_LIMIT, "goroutines, threads and tasks do not fit into %llu MiB",
                (unsigned long long)(o->max_bytes >> 20));
        return false;
    }
    void *moved = tp_realloc(*items, wanted * each_bytes);
    if (moved == NULL) {
        no_memory(err);
        return false;
    }
    *items = moved;
    *capacity = wanted;
    return true;
}

// Takes a slot of a slab: a freed one if there is one, else a new one.
#define TAKE_SLOT(o, slab, ret_slot, err)                                                     \
    ((slab)->first_free_1 != 0                                                                \
         ? (*(ret_slot) = (slab)->first_free_1 - 1,                                           \
            (slab)->first_free_1 = (slab)->items[*(ret_slot)].next_free, true)                \
         : grow(o, (void **)&(slab)->items, (slab)->count, &(slab)->capacity,                 \
                sizeof *(slab)->items, err) &&                                                \
               (*(ret_slot) = (slab)->count++, true))

#define FREE_SLOT(slab, slot)                          \
    ((slab)->items[slot].is_live = false,              \
     (slab)->items[slot].next_free = (slab)->first_free_1, (slab)->first_free_1 = (slot) + 1)

static bool put(struct tp_map *map, int64_t id, uint32_t slot, struct tp_error *err)
{
    if (tp_map_put(map, (uint64_t)id, slot))
        return true;
    no_memory(err);
    return false;
}

bool tp_order_add_g(struct tp_order *o, int64_t id, uint8_t status, uint32_t *ret_slot,
                    struct tp_error *err)
{
    uint32_t slot;
    if (!TAKE_SLOT(o, &o->gs, &slot, err))
        return false;
    // The lists of the slot's previous goroutine were freed with it.
    o->gs.items[slot] = (struct tp_g_state){
        .id = id, .seq = {o->generation, 0}, .status = status, .is_live = true};
    *ret_slot = slot;
    return put(&o->gs.map, id, slot, err);
}

TP_NOINLINE void tp_order_remove_g(struct tp_order *o, uint32_t slot)
{
    struct tp_g_state *g = &o->gs.items[slot];
    tp_map_remove(&o->gs.map, (uint64_t)g->id);
    o->list_bytes -= g->ranges.capacity * sizeof *g->ranges.items;
    o->list_bytes -= g->regions.capacity * sizeof *g->regions.items;
    tp_free(g->ranges.items);
    tp_free(g->regions.items);
    g->ranges = (struct tp_range_list){0};
    g->regions = (struct tp_region_list){0};
    FREE_SLOT(&o->gs, slot);
}

bool tp_order_add_p(struct tp_order *o, int64_t id, uint8_t status, uint32_t *ret_slot,
                    struct tp_error *err)
{
    uint32_t slot = o->ps.count;
    if (!grow(o, (void **)&o->ps.items, slot, &o->ps.capacity, sizeof *o->ps.items, err))
        return false;
    o->ps.count++;
    o->ps.items[slot] =
        (struct tp_p_state){.id = id, .seq = {o->generation, 0}, .status = status};
    *ret_slot = slot;
    return put(&o->ps.map, id, slot, err);
}

bool tp_order_add_m(struct tp_order *o, int64_t id, uint32_t *ret_slot, struct tp_error *err)
{
    uint32_t slot = o->ms.count;
    if (!grow(o, (void **)&o->ms.items, slot, &o->ms.capacity, sizeof *o->ms.items, err))
        return false;
    o->ms.count++;
    o->ms.items[slot] = (struct tp_m_state){
        .id = id, .at = {.p = -1, .g = -1, .p_slot = TP_MAP_NONE, .g_slot = TP_MAP_NONE}};
    *ret_slot = slot;
    return put(&o->ms.map, id, slot, err);
}

bool tp_order_add_task(struct tp_order *o, uint64_t id, uint64_t parent, tp_name_ref name,
                       struct tp_error *err)
{
    uint32_t slot;
    if (!TAKE_SLOT(o, &o->tasks, &slot, err))
        return false;
    o->tasks.items[slot] =
        (struct tp_task_state){.id = id, .parent = parent, .name = name, .is_live = true};
    return put(&o->tasks.map, (int64_t)id, slot, err);
}

void tp_order_remove_task(struct tp_order *o, uint32_t slot)
{
    tp_map_remove(&o->tasks.map, o->tasks.items[slot].id);
    FREE_SLOT(&o->tasks, slot);
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

// Makes room for one more item of a range or region list. False after filling the error.
static bool grow_list(struct tp_order *o, struct tp_list *l, size_t item_bytes,
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
        no_memory(err);
    return rc == 0;
}

#define ADD(o, l, item, err)                                                                  \
    (((l)->count < (l)->capacity ||                                                           \
      grow_list(o, &(l)->as_list, sizeof *(l)->items, err)) &&                                \
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

// THE WHOLE

void tp_order_init(struct tp_order *o, uint64_t max_bytes)
{
    *o = (struct tp_order){.max_bytes = max_bytes};
}

void tp_order_fini(struct tp_order *o)
{
    for (uint32_t i = 0; i < o->gs.count; i++) {
        tp_free(o->gs.items[i].ranges.items);
        tp_free(o->gs.items[i].regions.items);
    }
    for (uint32_t i = 0; i < o->ps.count; i++)
        tp_free(o->ps.items[i].ranges.items);
    tp_free(o->gs.items);
    tp_free(o->ps.items);
    tp_free(o->ms.items);
    tp_free(o->tasks.items);
    tp_map_fini(&o->gs.map);
    tp_map_fini(&o->ps.map);
    tp_map_fini(&o->ms.map);
    tp_map_fini(&o->tasks.map);
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

static bool copy_items(void *items, uint32_t count, uint32_t *capacity, size_t each_bytes)
{
    void **at = items;
    void *made = tp_alloc_array(count > 0 ? count : 1, each_bytes);
    if (made != NULL && count > 0)
        memcpy(made, *at, count * each_bytes);
    *at = made;
    *capacity = made != NULL ? (count > 0 ? count : 1) : 0;
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

static bool copy_list(void *items, uint32_t count, uint32_t *capacity, size_t each_bytes)
{
    if (*capacity == 0)
        return true;
    return copy_items(items, count, capacity, each_bytes);
}

// `o` is a shallow copy, whose pointers still belong to the original. Replaces them by copies; on
// failure none of the original's is left in `o`.
static bool copy_parts(struct tp_order *o)
{
    bool ok = true;
#define COPY_SLAB(slab)                                                                        \
    (ok = copy_items(&(slab)->items, (slab)->count, &(slab)->capacity,                         \
                     sizeof *(slab)->items) && ok,                                             \
     ok = copy_map(&(slab)->map) && ok)
    COPY_SLAB(&o->gs);
    COPY_SLAB(&o->ps);
    COPY_SLAB(&o->ms);
    COPY_SLAB(&o->tasks);
#undef COPY_SLAB
    if (!ok) {
        // The lists of goroutines and Ps still belong to the original: keep fini off them.
        o->gs.count = o->ps.count = 0;
        return false;
    }
    for (uint32_t i = 0; i < o->gs.count; i++) {
        struct tp_g_state *g = &o->gs.items[i];
        ok = copy_list(&g->ranges.items, g->ranges.count, &g->ranges.capacity,
                       sizeof *g->ranges.items) && ok;
        ok = copy_list(&g->regions.items, g->regions.count, &g->regions.capacity,
                       sizeof *g->regions.items) && ok;
    }
    for (uint32_t i = 0; i < o->ps.count; i++) {
        struct tp_p_state *p = &o->ps.items[i];
        ok = copy_list(&p->ranges.items, p->ranges.count, &p->ranges.capacity,
                       sizeof *p->ranges.items) && ok;
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
    no_memory(err);
    tp_order_fini(ret_copy);
    return err->code;
}

uint64_t tp_order_bytes(const struct tp_order *o)
{
    return o->list_bytes + o->gs.capacity * sizeof *o->gs.items +
           o->ps.capacity * sizeof *o->ps.items + o->ms.capacity * sizeof *o->ms.items +
           o->tasks.capacity * sizeof *o->tasks.items + tp_map_bytes(&o->gs.map) +
           tp_map_bytes(&o->ps.map) + tp_map_bytes(&o->ms.map) + tp_map_bytes(&o->tasks.map);
}

// NAMES

struct tp_span tp_order_name(const struct tp_order *o, tp_name_ref name)
{
    const struct tp_tables *t = o->tables;
    return name & TP_NAME_CARRIED ? t->carried[(uint32_t)name] : t->strings[name];
}

// Collects the names of open tasks and regions for the next generation's tables: each distinct name
// once, spans and bytes in one allocation.
struct carrying {
    const struct tp_order *o;
    struct tp_map seen;        // digest to index
    TP_LIST(struct tp_span) names; // of the old tables
    size_t bytes;
};

static bool carry(struct carrying *c, tp_name_ref *name, struct tp_error *err)
{
    struct tp_span bytes = tp_order_name(c->o, *name);
    uint64_t key = tp_digest_short(bytes);
    uint32_t idx = tp_map_get(&c->seen, key);
    if (idx == TP_MAP_NONE ||
        !tp_span_equals(bytes, c->names.items[idx].ptr, c->names.items[idx].len_bytes)) {
        if (!TP_LIST_ROOM(&c->names)) {
            no_memory(err);
            return false;
        }
        bool is_new = idx == TP_MAP_NONE;
        idx = c->names.count++;
        c->names.items[idx] = bytes;
        c->bytes += bytes.len_bytes;
        if (is_new && !put(&c->seen, (int64_t)key, idx, err))
            return false;
    }
    *name = TP_NAME_CARRIED | idx;
    return true;
}

static bool carry_all(struct carrying *c, struct tp_order *o, struct tp_error *err)
{
    for (uint32_t i = 0; i < o->tasks.count; i++) {
        struct tp_task_state *task = &o->tasks.items[i];
        if (task->is_live && !carry(c, &task->name, err))
            return false;
    }
    for (uint32_t i = 0; i < o->gs.count; i++) {
        const struct tp_region_list *l = &o->gs.items[i].regions;
        for (uint32_t k = 0; k < l->count && o->gs.items[i].is_live; k++) {
            if (!carry(c, &l->items[k].name, err))
                return false;
        }
    }
    return true;
}

// Makes tables->carried: one allocation of the spans, then the bytes to which they point.
static bool settle(const struct carrying *c, struct tp_tables *tables, struct tp_error *err)
{
    // A rehearsal may have filled `carried` already.
    tp_free(tables->carried);
    tables->carried = NULL;
    tables->carried_count = 0;
    if (c->names.count == 0)
        return true;
    tables->carried = tp_alloc(c->names.count * sizeof *tables->carried + c->bytes);
    if (tables->carried == NULL) {
        no_memory(err);
        return false;
    }
    tables->carried_count = c->names.count;
    unsigned char *to = (unsigned char *)(tables->carried + c->names.count);
    for (uint32_t i = 0; i < c->names.count; i++) {
        if (c->names.items[i].len_bytes > 0)
            memcpy(to, c->names.items[i].ptr, c->names.items[i].len_bytes);
        tables->carried[i] = tp_span_of(to, c->names.items[i].len_bytes);
        to += c->names.items[i].len_bytes;
    }
    return true;
}

int tp_order_begin(struct tp_order *o, struct tp_tables *tables, struct tp_error *err)
{
    struct carrying c = {.o = o};
    bool ok = o->tables == NULL || (carry_all(&c, o, err) && settle(&c, tables, err));
    tp_map_fini(&c.seen);
    tp_free(c.names.items);
    if (!ok)
        return err->code;
    tp_tables_hold(tables);
    tp_tables_release(o->tables);
    o->tables = tables;
    o->generation = tables->generation;
    return 0;
}
