// Names of open tasks and regions. A name is an index in the strings of the generation in which its
// task or region began. When that generation ends, the order carries the names of the tasks and
// regions that are still open: it adds them to the carried names of the next tables. A name is
// carried once, so `named_tasks` and `named_gs` list those that began in the current generation;
// others cost nothing.
#include "merge/order/names.h"

#include "merge/tables/place.h"

// Least number of carried names for which there is room.
#define CARRIED_LEAST 64
// Set in the names that drop_stale keeps, while it runs.
#define KEPT (TP_NAME_CARRIED << 1)

// NAMES OF THE CURRENT GENERATION

// Return the name of the task, and of the innermost region of the goroutine, in a slot; NULL if
// there is none.
static tp_name_ref *task_name(const struct tp_order *o, uint32_t slot)
{
    return o->tasks.items[slot].is_live ? &o->tasks.items[slot].name : NULL;
}
static tp_name_ref *region_name(const struct tp_order *o, uint32_t slot)
{
    const struct tp_g_state *g = &o->gs.items[slot];
    return g->is_live && g->region != 0 ? &o->regions.items[g->region].nest.key.name : NULL;
}

// Whether a name refers to the strings of the current tables. Regions begin inside those that are
// open, so those of a goroutine of which this is true are the innermost ones.
static bool is_current(const tp_name_ref *name)
{
    return name != NULL && *name < TP_NAME_CARRIED;
}

// Keeps of the slots those with a current name, each once.
static void drop_stale(const struct tp_order *o, struct tp_slot_list *l,
                       tp_name_ref *(*name_at)(const struct tp_order *, uint32_t))
{
    uint32_t kept = 0;
    for (uint32_t i = 0; i < l->count; i++) {
        tp_name_ref *name = name_at(o, l->items[i]);
        if (!is_current(name))
            continue;
        *name |= KEPT;
        l->items[kept++] = l->items[i];
    }
    l->count = kept;
    for (uint32_t i = 0; i < kept; i++)
        *name_at(o, l->items[i]) &= ~KEPT;
}

static bool list(struct tp_order *o, struct tp_slot_list *l, uint32_t slot,
                 tp_name_ref *(*name_at)(const struct tp_order *, uint32_t), struct tp_error *err)
{
    if (l->count == l->capacity) {
        drop_stale(o, l, name_at);
        // Half of the list is free after each walk over it.
        if (l->count >= l->capacity / 2 &&
            !tp_order_grow_list(o, &l->as_list, sizeof *l->items, err))
            return false;
    }
    l->items[l->count++] = slot;
    return true;
}

bool tp_order_list_regions(struct tp_order *o, uint32_t slot, struct tp_error *err)
{
    return !is_current(region_name(o, slot)) || list(o, &o->named_gs, slot, region_name, err);
}

bool tp_order_begin_task(struct tp_order *o, uint64_t id, uint64_t parent, tp_name_ref name,
                         struct tp_error *err)
{
    uint32_t slot;
    if (!tp_order_add_task(o, id, parent, name, &slot, err))
        return false;
    bool is_listed = !is_current(&name) || list(o, &o->named_tasks, slot, task_name, err);
    if (!is_listed)
        tp_order_remove_task(o, slot);
    return is_listed;
}

bool tp_order_begin_region(struct tp_order *o, struct tp_g_state *g, struct tp_nest_key key,
                           uint64_t stack, struct tp_error *err)
{
    uint32_t slot = (uint32_t)(g - o->gs.items);
    // If the innermost region is of this generation, the goroutine is listed.
    bool is_listed = is_current(region_name(o, slot));
    if (!tp_order_push_region(o, g, key, stack, err))
        return false;
    is_listed = is_listed || tp_order_list_regions(o, slot, err);
    if (!is_listed)
        tp_order_remove_region(o, g, g->region);
    return is_listed;
}

// CARRYING

// Replaces a name by a reference to its text in `names`, which is added if it is new. False: out of
// memory, and nothing has changed.
static bool carry(const struct tp_order *o, struct tp_intern *names, tp_name_ref *name)
{
    uint32_t idx = tp_intern_put(names, tp_order_name(o, *name));
    if (idx != TP_INTERN_NONE)
        *name = TP_NAME_CARRIED | idx;
    return idx != TP_INTERN_NONE;
}

// Does the same with the place where a region began, whose text is carried.
static bool carry_place(const struct tp_order *o, struct tp_intern *names,
                        struct tp_open_region *region)
{
    char text[TP_PLACE_BYTES];
    struct tp_span place = region->is_carried
                               ? tp_intern_text(&o->tables->carried->texts, (uint32_t)region->stack)
                               : tp_stack_place(o->tables, region->stack, text);
    uint32_t idx = place.len_bytes > 0 ? tp_intern_put(names, place) : 0;
    if (idx == TP_INTERN_NONE)
        return false;
    region->stack = idx;
    region->is_carried = place.len_bytes > 0;
    return true;
}

static bool carry_region(const struct tp_order *o, struct tp_intern *names,
                         struct tp_open_region *region)
{
    return carry_place(o, names, region) && carry(o, names, &region->nest.key.name);
}

// Whether there is room for a name and a place.
static bool has_room(const struct tp_intern *names)
{
    return names->count + 2 <= names->capacity;
}

// Carries a current name. False: there is no room, or no memory; nothing has changed.
static bool carry_current(const struct tp_order *o, struct tp_intern *names, tp_name_ref *name)
{
    return !is_current(name) ||
           ((has_room(names) ||
             tp_intern_find(names, tp_order_name(o, *name)) != TP_INTERN_NONE) &&
            carry(o, names, name));
}

static bool carry_listed(struct tp_order *o, struct tp_intern *names)
{
    for (uint32_t i = 0; i < o->named_tasks.count; i++) {
        if (!carry_current(o, names, task_name(o, o->named_tasks.items[i])))
            return false;
    }
    for (uint32_t i = 0; i < o->named_gs.count; i++) {
        const struct tp_g_state *g = &o->gs.items[o->named_gs.items[i]];
        uint32_t at = g->is_live ? g->region : 0;
        for (; at != 0 && is_current(&o->regions.items[at].nest.key.name);
             at = o->regions.items[at].nest.next) {
            if (!has_room(names) || !carry_region(o, names, &o->regions.items[at]))
                return false;
        }
    }
    // The index finds regions by their old names.
    if (o->named_gs.count > 0)
        tp_nests_drop_index(&o->regions.as_nests);
    return true;
}

// Carries the names of all open tasks and regions, and sets *ret_open to their number.
static bool carry_all(struct tp_order *o, struct tp_intern *names, size_t *ret_open)
{
    size_t open = 0;
    for (uint32_t i = 1; i <= o->tasks.count; i++) {
        tp_name_ref *name = task_name(o, i);
        if (name != NULL && !carry(o, names, name))
            return false;
        open += name != NULL;
    }
    for (uint32_t i = 1; i <= o->gs.count; i++) {
        uint32_t at = o->gs.items[i].is_live ? o->gs.items[i].region : 0;
        for (; at != 0; at = o->regions.items[at].nest.next, open += 2) {
            if (!carry_region(o, names, &o->regions.items[at]))
                return false;
        }
    }
    tp_nests_drop_index(&o->regions.as_nests);
    *ret_open = open;
    return true;
}

// Returns new carried names with the names of all that is open, and room for half as many, so that
// dead names are bounded, and at most 16 names are carried again for each new one. NULL: out of
// memory.
static struct tp_carried_names *renew(struct tp_order *o)
{
    struct tp_intern texts = {0};
    struct tp_carried_names *made = NULL;
    size_t open;
    if (carry_all(o, &texts, &open)) {
        size_t room = texts.count + texts.count / 2 + open / 16 + CARRIED_LEAST;
        if (tp_list_resize(&texts.as_list, room, sizeof *texts.items))
            made = tp_carried_names_create(&texts);
    }
    tp_intern_fini(&texts);
    return made;
}

// Returns the names that the next tables carry, with a hold. NULL: none, or with *ret_is_out out of
// memory.
static struct tp_carried_names *next_carried(struct tp_order *o, bool *ret_is_out)
{
    struct tp_carried_names *names = o->tables != NULL ? o->tables->carried : NULL;
    bool has_new = o->named_tasks.count + o->named_gs.count > 0;
    if (!has_new || (names != NULL && carry_listed(o, &names->texts)))
        return tp_carried_names_hold(names);
    names = renew(o);
    *ret_is_out = names == NULL;
    return names;
}

int tp_order_begin(struct tp_order *o, struct tp_tables *tables, struct tp_error *err)
{
    bool is_out = false;
    struct tp_carried_names *names = next_carried(o, &is_out);
    if (is_out)
        return tp_order_no_memory(err);
    o->named_tasks.count = o->named_gs.count = 0;
    tp_ended_tasks_drop_names(&o->ended_tasks);
    // A rehearsal may have filled `carried` already.
    if (o->tables != NULL) {
        tp_carried_names_release(tables->carried);
        tables->carried = names;
    }
    tp_tables_hold(tables);
    tp_tables_release(o->tables);
    o->tables = tables;
    o->generation = tables->generation;
    return 0;
}
