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

// Returns the number of a name in s->names, to which it is added if it is new; TP_NAME_EMPTY after
// a failure.
static uint32_t add_name(struct tp_summary *s, struct tp_span text)
{
    uint32_t name;
    if (s->status.code == 0)
        s->status.code = tp_summary_add_name(&s->names, text, &name, s->status.err);
    return s->status.code == 0 ? name : TP_NAME_EMPTY;
}

int tp_summary_init(struct tp_summary *s, bool fixes, const struct tp_sorter_memory *memory,
                    struct tp_error *err)
{
    struct tp_summary_status *st = &s->status;
    *s = (struct tp_summary){.fixes = fixes,
                             .status = {.max_bytes = TP_SUMMARY_STATE_MAX_BYTES, .err = err}};
    tp_idset_init(&s->children, CHILDREN_MAX_BYTES);
    st->code = tp_sorter_init(&s->items.goroutines, memory, err);
    if (st->code == 0)
        st->code = tp_sorter_init(&s->items.tasks, memory, err);
    uint32_t name_empty = add_name(s, tp_span_of_text(""));
    assert(name_empty == TP_NAME_EMPTY);
    s->name_forever = add_name(s, tp_span_of_text("forever"));
    s->name_sweep = add_name(s, tp_span_of_text("GC incremental sweep"));
    s->name_assist = add_name(s, tp_span_of_text("GC mark assist"));
    return st->code;
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
        while (g->region != 0)
            tp_goroutine_remove_region(&s->regions, g, g->region, &s->status);
        tp_times_fini(&g->times);
        tp_free(g->open_ranges.items);
    }
    for (uint32_t i = 0; i < s->chunks.count; i++)
        tp_free(s->chunks.items[i]);
    tp_free(s->chunks.items);
    TP_NESTS_FINI(&s->regions);
    TP_SLAB_FINI(&s->procs);
    tp_map_fini(&s->goroutine_slots);
    tp_idset_fini(&s->children);
    tp_times_fini(&s->scratch);
    tp_sorter_fini(&s->items.goroutines);
    tp_sorter_fini(&s->items.tasks);
    tp_intern_fini(&s->names);
    *s = (struct tp_summary){0};
}

struct tp_summary_goroutine *tp_summary_goroutine_of(const struct tp_summary *s, int64_t id)
{
    uint32_t slot = tp_map_get(&s->goroutine_slots, (uint64_t)id);
    return slot == TP_MAP_NONE ? NULL : record_at(s, slot);
}

static void lack_memory(struct tp_summary *s)
{
    if (s->status.code == 0)
        s->status.code = tp_fail(s->status.err, TP_E_MEMORY, "out of memory for goroutines");
}

// Adds a chunk of free records. After a failure there is no free record.
static void add_chunk(struct tp_summary *s)
{
    size_t chunk_bytes = CHUNK_RECORDS * sizeof(struct tp_summary_goroutine);
    if (!tp_summary_charge(&s->status, chunk_bytes + CHUNK_RECORDS * PLACE_BYTES))
        return;
    struct tp_summary_goroutine *chunk =
        TP_LIST_ROOM(&s->chunks) ? tp_alloc_zero(chunk_bytes) : NULL;
    if (chunk == NULL)
        return;
    uint32_t first = s->chunks.count * CHUNK_RECORDS + 1;
    s->chunks.items[s->chunks.count++] = chunk;
    for (uint32_t i = 0; i < CHUNK_RECORDS; i++)
        chunk[i].next_free = i + 1 < CHUNK_RECORDS ? first + i + 1 : s->free;
    s->free = first;
}

// Creates a record for the id. If the id has a record already, the new one takes its slot. NULL: a
// failure.
static struct tp_summary_goroutine *make_record(struct tp_summary *s, int64_t id,
                                                int64_t creation_ns)
{
    struct tp_summary_goroutine *g = tp_summary_goroutine_of(s, id);
    if (g != NULL) {
        tp_summary_drop_regions(s, g);
    } else {
        if (s->free == 0)
            add_chunk(s);
        if (s->free == 0 || !tp_map_put(&s->goroutine_slots, (uint64_t)id, s->free)) {
            lack_memory(s);
            return NULL;
        }
        g = record_at(s, s->free);
        s->free = g->next_free;
    }
    tp_goroutine_reset(g);
    g->id = id;
    g->number = ++s->record_count;
    g->creation_ns = creation_ns;
    return g;
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

// Returns the record of a P, creating it if needed; valid until the next call. NULL: a failure, now
// or before.
static struct tp_summary_proc *proc_of(struct tp_summary *s, int64_t id)
{
    uint32_t before = s->procs.capacity;
    struct tp_summary_proc *proc = TP_SLAB_GET_OR_ADD(&s->procs, id);
    if (proc == NULL)
        lack_memory(s);
    // Charge twice the item: its entry in the map is no larger than the item.
    bool fits = tp_summary_charge(&s->status, (s->procs.capacity - before) * 2 * sizeof *proc);
    return fits ? proc : NULL;
}

static void enter_syscall(struct tp_summary *s, const struct tp_summary_goroutine *g, int64_t p)
{
    struct tp_summary_proc *proc = proc_of(s, p);
    if (proc == NULL)
        return;
    proc->has_syscall = true;
    proc->syscall_goroutine = g->id;
}

static void leave_syscall(struct tp_summary *s, const struct tp_summary_goroutine *g)
{
    struct tp_summary_proc *proc = proc_of(s, g->syscall_p);
    if (proc != NULL && (!s->fixes || proc->syscall_goroutine == g->id))
        proc->has_syscall = false;
}

// Handles a P's transition. If a P becomes idle during a syscall, the syscall is blocked.
static void proc_changes(struct tp_summary *s, const struct tp_event *e,
                         const struct tp_event_shape *shape)
{
    if (tp_event_state_to(e) != TP_STATE_IDLE || tp_event_state_from(e) == TP_STATE_IDLE)
        return;
    struct tp_summary_proc *proc = proc_of(s, tp_event_resource_id(e, shape));
    if (proc == NULL || !proc->has_syscall)
        return;
    struct tp_summary_goroutine *g = tp_summary_goroutine_of(s, proc->syscall_goroutine);
    if (g != NULL)
        g->last_syscall_block_ns = e->time_ns;
    proc->has_syscall = false;
}

// NAMES

// Returns the number of the string with this id in the tables.
static uint32_t name_of(struct tp_summary *s, const struct tp_tables *t, uint64_t string_id)
{
    size_t at = (size_t)(string_id % TP_SUMMARY_STRINGS);
    if (tp_unlikely(s->strings[at].id != string_id)) {
        uint32_t idx = tp_tables_string_idx(t, string_id);
        s->strings[at].id = string_id;
        s->strings[at].name =
            add_name(s, t->strings.items[tp_string_or_empty(idx)]);
    }
    return s->strings[at].name;
}

// Names a goroutine by the outermost frame of the first stack that has frames.
static void name_goroutine(struct tp_summary *s, struct tp_summary_goroutine *g,
                           const struct tp_event *e, const struct tp_event_shape *shape,
                           const struct tp_tables *t)
{
    struct tp_summary_status *st = &s->status;
    struct tp_stack stack;
    if (shape->transition_stack_arg == 0 || e->args[shape->transition_stack_arg - 1] == 0)
        return;
    if (tp_tables_resolve(t) != 0 && st->code == 0)
        st->code = tp_tables_stacks_failure(t, st->err);
    if (st->code != 0 || !tp_event_transition_stack(e, t, &stack) || stack.frame_count == 0)
        return;
    struct tp_frame outermost = tp_stack_frame(&stack, stack.frame_count - 1);
    g->pc = outermost.pc;
    g->name = add_name(s, tp_text_span(outermost.function));
}

// GOROUTINES

static void end_goroutine(struct tp_summary *s, struct tp_summary_goroutine *g, bool has_end,
                          int64_t now_ns)
{
    if (has_end)
        g->end_ns = now_ns;
    tp_goroutine_settle(g, now_ns, s->fixes, &s->status);
    tp_summary_end_regions(s, g, has_end, now_ns);
}

// Ends a goroutine, adds its complete record to the items and frees the record. The record of a
// goroutine that lived for 0 ns stays: Go computes its times at the end of the trace, as for
// goroutines that are still alive.
static void destroy_goroutine(struct tp_summary *s, struct tp_summary_goroutine *g, int64_t now_ns)
{
    end_goroutine(s, g, true, now_ns);
    if (g->times.sums.total_ns == 0)
        return;
    tp_summary_put_goroutine(&s->items, g, &s->status);
    free_record(s, g);
}

// The four functions below return the goroutine's record; NULL: a failure.

// Creates the record of a goroutine first seen in a status event: it has been in this state since
// the last Sync.
static struct tp_summary_goroutine *meet(struct tp_summary *s, const struct tp_event *e, int64_t id,
                                         enum tp_state to)
{
    struct tp_summary_goroutine *g = make_record(s, id, s->sync_ns);
    if (g != NULL)
        tp_goroutine_count_state(g, to, e->p != -1, tp_ns_minus(e->time_ns, s->sync_ns),
                                 &s->status);
    return g;
}

static struct tp_summary_goroutine *create(struct tp_summary *s, const struct tp_event *e,
                                           int64_t id)
{
    struct tp_summary_goroutine *g = make_record(s, id, e->time_ns);
    if (g == NULL)
        return NULL;
    g->has_parent = e->g != -1;
    g->parent = e->g;
    tp_summary_inherit(s, g, e);
    return g;
}

// Creates the record of a goroutine whose earlier events are lost: since the last Sync it was in
// the state that it leaves now.
static struct tp_summary_goroutine *meet_leaving(struct tp_summary *s, int64_t id,
                                                 enum tp_state from, int64_t p)
{
    struct tp_summary_goroutine *g = make_record(s, id, s->sync_ns);
    if (g == NULL)
        return NULL;
    tp_goroutine_enter(g, from, p, TP_NAME_EMPTY, s->sync_ns);
    if (from == TP_STATE_SYSCALL)
        enter_syscall(s, g, p);
    return g;
}

static struct tp_summary_goroutine *leave(struct tp_summary *s, const struct tp_event *e,
                                          int64_t id, enum tp_state from)
{
    if (from == TP_STATE_NOT_EXIST)
        return create(s, e, id);
    struct tp_summary_goroutine *g = tp_summary_goroutine_of(s, id);
    if (tp_unlikely(g == NULL))
        g = meet_leaving(s, id, from, e->p);
    if (g != NULL && tp_goroutine_leave(g, from, e->time_ns, &s->status))
        leave_syscall(s, g);
    return g;
}

static void enter(struct tp_summary *s, struct tp_summary_goroutine *g, const struct tp_event *e,
                  enum tp_state to, uint32_t reason)
{
    if (to == TP_STATE_NOT_EXIST) {
        destroy_goroutine(s, g, e->time_ns);
    } else if (to == TP_STATE_WAITING && reason == s->name_forever) {
        end_goroutine(s, g, true, e->time_ns);
    } else {
        tp_goroutine_enter(g, to, e->p, reason, e->time_ns);
        if (to == TP_STATE_SYSCALL)
            enter_syscall(s, g, e->p);
    }
}

static void goroutine_changes(struct tp_summary *s, const struct tp_event *e,
                              const struct tp_event_shape *shape, const struct tp_tables *t)
{
    enum tp_state from = (enum tp_state)shape->from, to = (enum tp_state)shape->to;
    if (shape->from == TP_STATE_IN_EVENT) {
        from = tp_event_state_from(e);
        to = tp_event_state_to(e);
        if (from == to)
            return;
    }
    int64_t id = tp_event_resource_id(e, shape);
    struct tp_summary_goroutine *g =
        from == TP_STATE_UNDETERMINED ? meet(s, e, id, to) : leave(s, e, id, from);
    if (g == NULL)
        return;
    uint32_t reason =
        shape->reason_arg != 0 ? name_of(s, t, e->args[shape->reason_arg - 1]) : TP_NAME_EMPTY;
    if (g->name == TP_NAME_EMPTY)
        name_goroutine(s, g, e, shape, t);
    enter(s, g, e, to, reason);
}

// RANGES

static uint32_t range_name(struct tp_summary *s, const struct tp_event *e,
                           const struct tp_tables *t)
{
    char text[TP_MAX_STRING_BYTES + 32];
    struct tp_range range;
    switch (e->type) {
    case TP_EV_STWBegin:
    case TP_EV_STWEnd: break;
    case TP_EV_GCSweepActive:
    case TP_EV_GCSweepBegin:
    case TP_EV_GCSweepEnd: return s->name_sweep;
    default: return s->name_assist;
    }
    if (!tp_event_range(e, t, &range) || range.detail.len_bytes > TP_MAX_STRING_BYTES)
        range.detail.len_bytes = 0;
    int len_bytes = snprintf(text, sizeof text, "%.*s (", (int)range.name.len_bytes,
                             range.name.ptr);
    memcpy(text + len_bytes, range.detail.ptr, range.detail.len_bytes);
    text[(size_t)len_bytes + range.detail.len_bytes] = ')';
    return add_name(s, tp_span_of(text, (size_t)len_bytes + range.detail.len_bytes + 1));
}

// Returns the goroutine to which a sweep, a range of a P, belongs; NULL: it is not known, or a
// failure. A sweep counts for the goroutine on the P at the beginning of the sweep, if that
// goroutine is also on the P at its end.
static struct tp_summary_goroutine *owner_of_sweep(struct tp_summary *s, const struct tp_event *e,
                                                   int64_t p, bool ends)
{
    struct tp_summary_goroutine *g = ends ? NULL : tp_summary_goroutine_of(s, e->g);
    struct tp_summary_proc *proc = ends || g != NULL ? proc_of(s, p) : NULL;
    if (proc == NULL)
        return NULL;
    if (ends && proc->has_sweep && (proc->sweep_goroutine == e->g || s->fixes))
        g = tp_summary_goroutine_of(s, proc->sweep_goroutine);
    proc->has_sweep = !ends;
    proc->sweep_goroutine = e->g;
    return g;
}

static void range_event(struct tp_summary *s, const struct tp_event *e,
                        const struct tp_event_shape *shape, const struct tp_tables *t)
{
    int64_t id = tp_event_resource_id(e, shape);
    bool ends = shape->kind == TP_KIND_RANGE_END;
    struct tp_summary_goroutine *g = NULL;
    if (shape->resource == TP_RESOURCE_GOROUTINE)
        g = tp_summary_goroutine_of(s, id);
    else if (shape->resource == TP_RESOURCE_PROC)
        g = owner_of_sweep(s, e, id, ends);
    if (g == NULL)
        return;
    uint32_t name = range_name(s, e, t);
    if (ends)
        tp_goroutine_range_end(g, name, e->time_ns, &s->status);
    else if (shape->kind == TP_KIND_RANGE_ACTIVE)
        tp_goroutine_range_active(g, name, s->sync_ns, &s->status);
    else
        tp_time_list_set(&g->open_ranges, name, e->time_ns, &s->status);
}

// EVENTS

static void add_event(struct tp_summary *s, const struct tp_event *e, const struct tp_tables *t)
{
    const struct tp_event_shape *shape = &tp_event_shapes[e->type];
    if (s->sync_ns == 0)
        s->sync_ns = e->time_ns;
    switch ((enum tp_kind)shape->kind) {
    case TP_KIND_TRANSITION:
        if (shape->resource == TP_RESOURCE_GOROUTINE)
            goroutine_changes(s, e, shape, t);
        else
            proc_changes(s, e, shape);
        break;
    case TP_KIND_RANGE_BEGIN:
    case TP_KIND_RANGE_ACTIVE:
    case TP_KIND_RANGE_END: range_event(s, e, shape, t); break;
    case TP_KIND_SYNC:
        s->sync_ns = e->time_ns;
        s->totals.sync_count++;
        break;
    case TP_KIND_REGION_BEGIN:
    case TP_KIND_REGION_END:
    case TP_KIND_TASK_BEGIN:
    case TP_KIND_TASK_END:
    case TP_KIND_LOG: tp_summary_user_event(s, e, t); break;
    default: break;
    }
}

int tp_summary_add(struct tp_summary *s, const struct tp_block *block, struct tp_error *err)
{
    if (block->event_count == 0)
        return 0;
    s->status.err = err;
    if (s->totals.event_count == 0)
        s->totals.first_ns = block->events[0].time_ns;
    // Clear the cache: string ids differ in the next generation, whose tables may have the same
    // address.
    memset(s->strings, 0, sizeof s->strings);
    s->strings[0].id = 1;
    for (size_t i = 0; i < block->event_count && s->status.code == 0; i++) {
        add_event(s, &block->events[i], block->tables);
        s->totals.event_count++;
    }
    s->totals.last_ns = block->events[block->event_count - 1].time_ns;
    return s->status.code;
}

int tp_summary_finish(struct tp_summary *s, struct tp_error *err)
{
    struct tp_summary_status *st = &s->status;
    st->err = err;
    for (uint32_t slot = 1; slot <= s->chunks.count * CHUNK_RECORDS && st->code == 0; slot++) {
        struct tp_summary_goroutine *g = record_at(s, slot);
        if (g->number == 0)
            continue;
        end_goroutine(s, g, false, s->totals.last_ns);
        tp_summary_put_goroutine(&s->items, g, st);
    }
    if (st->code == 0)
        st->code = tp_sorter_sort(&s->items.goroutines, err);
    return st->code == 0 ? tp_sorter_sort(&s->items.tasks, err) : st->code;
}

size_t tp_summary_bytes(const struct tp_summary *s)
{
    return s->status.used_bytes + tp_intern_bytes(&s->names) + tp_idset_bytes(&s->children);
}
