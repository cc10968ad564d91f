// Goroutines, Ps and ranges of a summary. See summary.h.
#include "stats/summary/summary.h"

#include <stdio.h>

#include "base/alloc.h"
#include "stats/summary/labels.h"

#define CHUNK_RECORDS 256
// Upper bound on a record's overhead in bytes beyond the record itself: its entry in the list of
// free records and its entry in the map.
#define PLACE_BYTES 56
// Enough for 500 million tasks with a parent, if task ids are consecutive.
#define CHILDREN_MAX_BYTES TP_MIB(64)

static int add_name(struct tp_summary *s, const char *text, uint32_t *ret_name)
{
    return tp_summary_add_name(&s->names, tp_span_of_text(text), ret_name, s->memory.err);
}

int tp_summary_init(struct tp_summary *s, const struct tp_summary_rules *rules,
                    const struct tp_sorter_memory *memory, struct tp_error *err)
{
    uint32_t name_empty;
    *s = (struct tp_summary){.rules = *rules,
                             .memory = {.max_bytes = TP_SUMMARY_STATE_MAX_BYTES, .err = err}};
    tp_idset_init(&s->children, CHILDREN_MAX_BYTES);
    int rc = tp_summary_items_init(&s->items, memory, s->memory.err);
    if (rc == 0)
        rc = add_name(s, "", &name_empty);
    assert(rc != 0 || name_empty == TP_NAME_EMPTY);
    if (rc == 0)
        rc = add_name(s, "forever", &s->name_forever);
    if (rc == 0)
        rc = add_name(s, "GC incremental sweep", &s->name_sweep);
    return rc == 0 ? add_name(s, "GC mark assist", &s->name_assist) : rc;
}

// RECORDS

// Returns the record of a slot. Slots are numbered from 1.
static struct tp_summary_goroutine *record_at(const struct tp_summary *s, uint32_t slot)
{
    return &s->chunks.items[(slot - 1) / CHUNK_RECORDS][(slot - 1) % CHUNK_RECORDS];
}

void tp_summary_fini(struct tp_summary *s)
{
    for (uint32_t slot = 1; slot <= s->chunks.count * CHUNK_RECORDS; slot++) {
        struct tp_summary_goroutine *g = record_at(s, slot);
        while (g->regions != NULL)
            tp_goroutine_pop_region(g, &s->memory);
        tp_times_fini(&g->times);
        tp_time_list_fini(&g->open_ranges);
    }
    for (uint32_t i = 0; i < s->chunks.count; i++)
        tp_free(s->chunks.items[i]);
    tp_free(s->chunks.items);
    TP_SLAB_FINI(&s->procs);
    tp_map_fini(&s->goroutine_slots);
    tp_idset_fini(&s->children);
    tp_times_fini(&s->scratch);
    tp_summary_items_fini(&s->items);
    tp_intern_fini(&s->names);
    *s = (struct tp_summary){0};
}

struct tp_summary_goroutine *tp_summary_goroutine_of(const struct tp_summary *s, int64_t id)
{
    uint32_t slot = tp_map_get(&s->goroutine_slots, (uint64_t)id);
    return slot == TP_MAP_NONE ? NULL : record_at(s, slot);
}

static int no_memory(const struct tp_summary *s)
{
    return tp_fail(s->memory.err, TP_E_MEMORY, "no memory for goroutines");
}

static int add_chunk(struct tp_summary *s)
{
    size_t chunk_bytes = CHUNK_RECORDS * sizeof(struct tp_summary_goroutine);
    int rc = tp_summary_record(&s->memory, chunk_bytes + CHUNK_RECORDS * PLACE_BYTES);
    if (rc != 0)
        return rc;
    struct tp_summary_goroutine *chunk =
        TP_LIST_ROOM(&s->chunks) ? tp_alloc_zero(chunk_bytes) : NULL;
    if (chunk == NULL)
        return no_memory(s);
    uint32_t first = s->chunks.count * CHUNK_RECORDS + 1;
    s->chunks.items[s->chunks.count++] = chunk;
    for (uint32_t i = 0; i < CHUNK_RECORDS; i++)
        chunk[i].next_free = i + 1 < CHUNK_RECORDS ? first + i + 1 : s->free;
    s->free = first;
    return 0;
}

// Creates a record for the id. If the id has a record already, the new one takes its slot.
static int make_record(struct tp_summary *s, int64_t id, int64_t creation_ns,
                       struct tp_summary_goroutine **ret_g)
{
    struct tp_summary_goroutine *g = tp_summary_goroutine_of(s, id);
    int rc = 0;
    if (g != NULL) {
        rc = tp_summary_drop_regions(s, g);
    } else {
        if (s->free == 0)
            rc = add_chunk(s);
        if (rc != 0)
            return rc;
        if (!tp_map_put(&s->goroutine_slots, (uint64_t)id, s->free))
            return no_memory(s);
        g = record_at(s, s->free);
        s->free = g->next_free;
    }
    tp_goroutine_reset(g);
    g->id = id;
    g->number = ++s->record_count;
    g->creation_ns = creation_ns;
    *ret_g = g;
    return rc;
}

static void free_record(struct tp_summary *s, struct tp_summary_goroutine *g)
{
    uint32_t slot = tp_map_get(&s->goroutine_slots, (uint64_t)g->id);
    tp_map_remove(&s->goroutine_slots, (uint64_t)g->id);
    tp_goroutine_reset(g);
    g->next_free = s->free;
    s->free = slot;
}

// PS

static int proc_of(struct tp_summary *s, int64_t id, struct tp_summary_proc **ret_proc)
{
    uint32_t before = s->procs.capacity;
    *ret_proc = TP_SLAB_GET_OR_ADD(&s->procs, id);
    if (*ret_proc == NULL)
        return no_memory(s);
    // Charge twice the item: its entry in the map is no larger than the item.
    return tp_summary_record(&s->memory, (s->procs.capacity - before) * 2 * sizeof **ret_proc);
}

static int enter_syscall(struct tp_summary *s, const struct tp_summary_goroutine *g, int64_t p)
{
    struct tp_summary_proc *proc;
    int rc = proc_of(s, p, &proc);
    if (rc == 0) {
        proc->has_syscall = true;
        proc->syscall_goroutine = g->id;
    }
    return rc;
}

static int leave_syscall(struct tp_summary *s, const struct tp_summary_goroutine *g)
{
    struct tp_summary_proc *proc;
    int rc = proc_of(s, g->syscall_p, &proc);
    if (rc == 0 && (!s->rules.keeps_others_syscalls || proc->syscall_goroutine == g->id))
        proc->has_syscall = false;
    return rc;
}

// Handles a P's transition. If a P becomes idle during a syscall, the syscall is blocked.
static int proc_changes(struct tp_summary *s, const struct tp_event *e,
                        const struct tp_event_shape *shape)
{
    if (tp_event_state_to(e) != TP_STATE_IDLE || tp_event_state_from(e) == TP_STATE_IDLE)
        return 0;
    struct tp_summary_proc *proc;
    int rc = proc_of(s, tp_event_resource_id(e, shape), &proc);
    if (rc != 0 || !proc->has_syscall)
        return rc;
    struct tp_summary_goroutine *g = tp_summary_goroutine_of(s, proc->syscall_goroutine);
    if (g != NULL)
        g->last_syscall_block_ns = e->time_ns;
    proc->has_syscall = false;
    return 0;
}

// NAMES

int tp_summary_name_of(struct tp_summary *s, const struct tp_tables *t, uint64_t string_id,
                       uint32_t *ret_name)
{
    size_t at = (size_t)(string_id % TP_SUMMARY_STRINGS);
    if (tp_likely(s->strings[at].id == string_id)) {
        *ret_name = s->strings[at].name;
        return 0;
    }
    uint32_t idx = tp_tables_string_idx(t, string_id);
    if (idx == TP_STRING_UNKNOWN)
        idx = TP_STRING_EMPTY;
    int rc = tp_summary_add_name(&s->names, t->strings[idx], ret_name, s->memory.err);
    if (rc == 0) {
        s->strings[at].id = string_id;
        s->strings[at].name = *ret_name;
    }
    return rc;
}

// Names a goroutine by the outermost frame of the first stack that has frames.
static int name_goroutine(struct tp_summary *s, struct tp_summary_goroutine *g,
                          const struct tp_event *e, const struct tp_event_shape *shape,
                          const struct tp_tables *t)
{
    struct tp_stack stack;
    if (shape->transition_stack_arg == 0 || e->args[shape->transition_stack_arg - 1] == 0)
        return 0;
    int rc = tp_tables_resolve(t);
    if (rc != 0)
        return tp_tables_stacks_failure(t, s->memory.err);
    if (!tp_event_transition_stack(e, t, &stack) || stack.frame_count == 0)
        return 0;
    struct tp_frame outermost = tp_stack_frame(&stack, stack.frame_count - 1);
    g->pc = outermost.pc;
    return tp_summary_add_name(&s->names, tp_text_span(outermost.function), &g->name,
                               s->memory.err);
}

// GOROUTINES

static int end_goroutine(struct tp_summary *s, struct tp_summary_goroutine *g, bool has_end,
                         int64_t now_ns)
{
    if (has_end)
        g->end_ns = now_ns;
    int rc = tp_goroutine_settle(g, now_ns, &s->rules, &s->memory);
    return rc == 0 ? tp_summary_end_regions(s, g, has_end, now_ns) : rc;
}

// Ends a goroutine, adds its complete record to the items and frees the record. The record of a
// goroutine that lived for 0 ns stays: Go computes its times at the end of the trace, as for
// goroutines that are still alive.
static int destroy_goroutine(struct tp_summary *s, struct tp_summary_goroutine *g, int64_t now_ns)
{
    int rc = end_goroutine(s, g, true, now_ns);
    if (rc != 0 || g->times.sums.total_ns == 0)
        return rc;
    rc = tp_summary_put_goroutine(&s->items, g, s->memory.err);
    free_record(s, g);
    return rc;
}

// Creates the record of a goroutine first seen in a status event: it has been in this state since
// the last Sync.
static int meet(struct tp_summary *s, const struct tp_event *e, int64_t id, enum tp_state to,
                struct tp_summary_goroutine **ret_g)
{
    int rc = make_record(s, id, s->sync_ns, ret_g);
    return rc == 0 ? tp_goroutine_count_state(*ret_g, to, e->p != -1,
                                              tp_ns_minus(e->time_ns, s->sync_ns), &s->memory)
                   : rc;
}

static int create(struct tp_summary *s, const struct tp_event *e, int64_t id,
                  struct tp_summary_goroutine **ret_g)
{
    int rc = make_record(s, id, e->time_ns, ret_g);
    if (rc != 0)
        return rc;
    (*ret_g)->has_parent = e->g != -1;
    (*ret_g)->parent = e->g;
    return tp_summary_inherit(s, *ret_g, e);
}

// Creates the record of a goroutine whose earlier events are lost: since the last Sync it was in
// the state that it leaves now.
static int meet_leaving(struct tp_summary *s, int64_t id, enum tp_state from, int64_t p,
                        struct tp_summary_goroutine **ret_g)
{
    int rc = make_record(s, id, s->sync_ns, ret_g);
    if (rc == 0)
        tp_goroutine_enter(*ret_g, from, p, TP_NAME_EMPTY, s->sync_ns);
    return rc == 0 && from == TP_STATE_SYSCALL ? enter_syscall(s, *ret_g, p) : rc;
}

static int leave(struct tp_summary *s, const struct tp_event *e, int64_t id, enum tp_state from,
                 struct tp_summary_goroutine **ret_g)
{
    if (from == TP_STATE_NOT_EXIST)
        return create(s, e, id, ret_g);
    *ret_g = tp_summary_goroutine_of(s, id);
    if (tp_unlikely(*ret_g == NULL)) {
        int rc = meet_leaving(s, id, from, e->p, ret_g);
        if (rc != 0)
            return rc;
    }
    bool left_syscall;
    int rc = tp_goroutine_leave(*ret_g, from, e->time_ns, &s->memory, &left_syscall);
    return rc == 0 && left_syscall ? leave_syscall(s, *ret_g) : rc;
}

static int enter(struct tp_summary *s, struct tp_summary_goroutine *g, const struct tp_event *e,
                 enum tp_state to, uint32_t reason)
{
    if (to == TP_STATE_NOT_EXIST)
        return destroy_goroutine(s, g, e->time_ns);
    if (to == TP_STATE_WAITING && reason == s->name_forever)
        return end_goroutine(s, g, true, e->time_ns);
    tp_goroutine_enter(g, to, e->p, reason, e->time_ns);
    return to == TP_STATE_SYSCALL ? enter_syscall(s, g, e->p) : 0;
}

static int goroutine_changes(struct tp_summary *s, const struct tp_event *e,
                             const struct tp_event_shape *shape, const struct tp_tables *t)
{
    enum tp_state from = (enum tp_state)shape->from, to = (enum tp_state)shape->to;
    if (shape->from == TP_STATE_IN_EVENT) {
        from = tp_event_state_from(e);
        to = tp_event_state_to(e);
        if (from == to)
            return 0;
    }
    struct tp_summary_goroutine *g;
    uint32_t reason = TP_NAME_EMPTY;
    int64_t id = tp_event_resource_id(e, shape);
    int rc = from == TP_STATE_UNDETERMINED ? meet(s, e, id, to, &g) : leave(s, e, id, from, &g);
    if (rc == 0 && shape->reason_arg != 0)
        rc = tp_summary_name_of(s, t, e->args[shape->reason_arg - 1], &reason);
    if (rc == 0 && g->name == TP_NAME_EMPTY)
        rc = name_goroutine(s, g, e, shape, t);
    return rc == 0 ? enter(s, g, e, to, reason) : rc;
}

// RANGES

static int range_name(struct tp_summary *s, const struct tp_event *e, const struct tp_tables *t,
                      uint32_t *ret_name)
{
    char text[TP_MAX_STRING_BYTES + 32];
    struct tp_range range;
    switch (e->type) {
    case TP_EV_STWBegin:
    case TP_EV_STWEnd: break;
    case TP_EV_GCSweepActive:
    case TP_EV_GCSweepBegin:
    case TP_EV_GCSweepEnd: *ret_name = s->name_sweep; return 0;
    default: *ret_name = s->name_assist; return 0;
    }
    if (!tp_event_range(e, t, &range) || range.detail.len_bytes > TP_MAX_STRING_BYTES)
        range.detail.len_bytes = 0;
    int len_bytes = snprintf(text, sizeof text, "%.*s (", (int)range.name.len_bytes,
                             range.name.ptr);
    memcpy(text + len_bytes, range.detail.ptr, range.detail.len_bytes);
    text[(size_t)len_bytes + range.detail.len_bytes] = ')';
    return tp_summary_add_name(&s->names,
                               tp_span_of(text, (size_t)len_bytes + range.detail.len_bytes + 1),
                               ret_name, s->memory.err);
}

// Sets *ret_g to the goroutine to which a range belongs; NULL: it is not known. A sweep is a
// range of a P: it counts for the goroutine on the P at the begin of the sweep, if that goroutine
// is also on the P at its end.
static int owner_of_range(struct tp_summary *s, const struct tp_event *e,
                          const struct tp_event_shape *shape, struct tp_summary_goroutine **ret_g)
{
    int64_t id = tp_event_resource_id(e, shape);
    bool ends = shape->kind == TP_KIND_RANGE_END;
    *ret_g = NULL;
    if (shape->resource == TP_RESOURCE_GOROUTINE)
        *ret_g = tp_summary_goroutine_of(s, id);
    else if (shape->resource == TP_RESOURCE_PROC && !ends)
        *ret_g = tp_summary_goroutine_of(s, e->g);
    if (shape->resource != TP_RESOURCE_PROC || (!ends && *ret_g == NULL))
        return 0;
    struct tp_summary_proc *proc;
    int rc = proc_of(s, id, &proc);
    if (rc != 0)
        return rc;
    if (ends && proc->has_sweep && (proc->sweep_goroutine == e->g || s->rules.ends_moved_sweeps))
        *ret_g = tp_summary_goroutine_of(s, proc->sweep_goroutine);
    proc->has_sweep = !ends;
    proc->sweep_goroutine = e->g;
    return 0;
}

static int range_event(struct tp_summary *s, const struct tp_event *e,
                       const struct tp_event_shape *shape, const struct tp_tables *t)
{
    bool ends = shape->kind == TP_KIND_RANGE_END;
    struct tp_summary_goroutine *g;
    uint32_t name;
    int rc = owner_of_range(s, e, shape, &g);
    if (rc != 0 || g == NULL)
        return rc;
    rc = range_name(s, e, t, &name);
    if (rc != 0)
        return rc;
    if (ends)
        return tp_goroutine_range_end(g, name, e->time_ns, &s->memory);
    if (shape->kind == TP_KIND_RANGE_ACTIVE)
        return tp_goroutine_range_active(g, name, s->sync_ns, &s->memory);
    return tp_goroutine_range_begin(g, name, e->time_ns, &s->memory);
}

// EVENTS

static int add_event(struct tp_summary *s, const struct tp_event *e, const struct tp_tables *t)
{
    const struct tp_event_shape *shape = &tp_event_shapes[e->type];
    if (s->sync_ns == 0)
        s->sync_ns = e->time_ns;
    switch ((enum tp_kind)shape->kind) {
    case TP_KIND_TRANSITION:
        return shape->resource == TP_RESOURCE_GOROUTINE ? goroutine_changes(s, e, shape, t)
                                                        : proc_changes(s, e, shape);
    case TP_KIND_RANGE_BEGIN:
    case TP_KIND_RANGE_ACTIVE:
    case TP_KIND_RANGE_END: return range_event(s, e, shape, t);
    case TP_KIND_SYNC:
        s->sync_ns = e->time_ns;
        s->totals.sync_count++;
        return 0;
    case TP_KIND_REGION_BEGIN:
    case TP_KIND_REGION_END:
    case TP_KIND_TASK_BEGIN:
    case TP_KIND_TASK_END:
    case TP_KIND_LOG: return tp_summary_user_event(s, e, t);
    default: return 0;
    }
}

int tp_summary_add(struct tp_summary *s, const struct tp_block *block, struct tp_error *err)
{
    int rc = 0;
    if (block->event_count == 0)
        return 0;
    s->memory.err = err;
    if (s->totals.event_count == 0)
        s->totals.first_ns = block->events[0].time_ns;
    // Clear the cache: string ids differ in the next generation, whose tables may have the same
    // address.
    memset(s->strings, 0, sizeof s->strings);
    s->strings[0].id = 1;
    for (size_t i = 0; i < block->event_count && rc == 0; i++) {
        rc = add_event(s, &block->events[i], block->tables);
        s->totals.event_count++;
    }
    s->totals.last_ns = block->events[block->event_count - 1].time_ns;
    return rc;
}

int tp_summary_finish(struct tp_summary *s, struct tp_error *err)
{
    int rc = 0;
    s->memory.err = err;
    for (uint32_t slot = 1; slot <= s->chunks.count * CHUNK_RECORDS && rc == 0; slot++) {
        struct tp_summary_goroutine *g = record_at(s, slot);
        if (g->number == 0)
            continue;
        rc = end_goroutine(s, g, false, s->totals.last_ns);
        if (rc == 0)
            rc = tp_summary_put_goroutine(&s->items, g, s->memory.err);
    }
    if (rc == 0)
        rc = tp_sorter_sort(&s->items.goroutines, s->memory.err);
    return rc == 0 ? tp_sorter_sort(&s->items.tasks, s->memory.err) : rc;
}

size_t tp_summary_bytes(const struct tp_summary *s)
{
    return s->memory.used_bytes + tp_intern_bytes(&s->names) + tp_idset_bytes(&s->children);
}
