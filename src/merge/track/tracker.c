#include "merge/track/tracker.h"

#include "base/alloc.h"
#include "merge/track/view.h"

void tp_tracker_init(struct tp_tracker *t, unsigned wants, uint64_t max_bytes)
{
    *t = (struct tp_tracker){.wants = wants,
                             .sync_ns = -1,
                             .stops.since_ns = TP_NEVER_NS,
                             .max_bytes = max_bytes};
    t->recent_gs[0].id = 1; // belongs to another item
}

void tp_tracker_begin_ahead(struct tp_tracker *t, unsigned wants, uint64_t max_bytes,
                            struct tp_tables *tables)
{
    tp_tracker_init(t, wants, max_bytes);
    t->is_speculative = true;
    t->deferred = tp_alloc_zero(sizeof *t->deferred);
    t->lacks_memory = t->deferred == NULL;
    tp_tables_hold(tables);
    t->tables = tables;
    tp_track_forget_tables(t);
}

static void free_touched(struct tp_track_touched *touched)
{
    tp_free(touched->slots.items);
    tp_free(touched->bits.items);
}

static uint64_t touched_bytes(const struct tp_track_touched *touched)
{
    return touched->slots.capacity * sizeof *touched->slots.items +
           touched->bits.capacity * sizeof *touched->bits.items;
}

void tp_tracker_fini(struct tp_tracker *t)
{
    TP_SLAB_FINI(&t->gs);
    TP_SLAB_FINI(&t->tasks);
    TP_NESTS_FINI(&t->regions);
    for (unsigned i = 0; i < TP_TRACK_RANGE_COUNT; i++) {
        TP_SLAB_FINI(&t->ranges[i]);
        free_touched(&t->touched_ranges[i]);
    }
    TP_SLAB_FINI(&t->procs);
    free_touched(&t->touched_gs);
    free_touched(&t->touched_tasks);
    tp_free(t->waits.items);
    tp_free(t->late.items);
    tp_free(t->roots.items);
    if (t->deferred != NULL) {
        tp_free(t->deferred->ops.items);
        tp_free(t->deferred->views.items);
        tp_free(t->deferred->first_legs.items);
    }
    tp_free(t->deferred);
    tp_tables_release(t->tables);
    *t = (struct tp_tracker){0};
}

uint64_t tp_tracker_bytes(const struct tp_tracker *t)
{
    uint64_t bytes = t->gs.capacity * sizeof *t->gs.items + tp_map_bytes(&t->gs.by_id) +
                     t->tasks.capacity * sizeof *t->tasks.items + tp_map_bytes(&t->tasks.by_id) +
                     t->regions.capacity * sizeof *t->regions.items +
                     tp_map_bytes(&t->regions.by_hash) +
                     t->procs.capacity * sizeof *t->procs.items + tp_map_bytes(&t->procs.by_id) +
                     t->waits.capacity * sizeof *t->waits.items +
                     t->late.capacity * sizeof *t->late.items +
                     t->roots.capacity * sizeof *t->roots.items + touched_bytes(&t->touched_gs) +
                     touched_bytes(&t->touched_tasks);
    if (t->deferred != NULL)
        bytes += t->deferred->ops.capacity * sizeof *t->deferred->ops.items +
                 t->deferred->views.capacity * sizeof *t->deferred->views.items +
                 t->deferred->first_legs.capacity * sizeof *t->deferred->first_legs.items;
    for (unsigned i = 0; i < TP_TRACK_RANGE_COUNT; i++)
        bytes += t->ranges[i].capacity * sizeof *t->ranges[i].items +
                 tp_map_bytes(&t->ranges[i].by_id) + touched_bytes(&t->touched_ranges[i]);
    return bytes + (t->tables != NULL ? tp_carried_states_bytes(t->tables->carried_states) : 0);
}

// EVENTS

static void put_other(struct tp_tracker *t, struct tp_facts *f, uint32_t idx)
{
    if (tp_track_wants(t, TP_TRACK_OTHERS) && t->replayed == NULL)
        TP_TRACK_PUT(t, &f->others, idx);
}

TP_NOINLINE void tp_track_other(struct tp_tracker *t, struct tp_facts *f, const struct tp_event *e,
                                uint32_t idx)
{
    const struct tp_event_shape *shape = &tp_event_shapes[e->type];
    bool has_ranges = (t->wants & (TP_TRACK_INTERVALS | TP_TRACK_LASTING)) != 0;
    bool has_tasks = has_ranges || tp_track_wants(t, TP_TRACK_TASK_OF);
    switch ((enum tp_kind)shape->kind) {
    case TP_KIND_TRANSITION:
        if (shape->resource == TP_RESOURCE_GOROUTINE)
            tp_track_change(t, f, e);
        else if ((t->wants & (TP_TRACK_MOVES | TP_TRACK_LASTING)) != 0)
            tp_track_proc_event(t, f, e);
        return;
    case TP_KIND_RANGE_BEGIN:
    case TP_KIND_RANGE_ACTIVE:
    case TP_KIND_RANGE_END:
        if (has_ranges)
            tp_track_range_event(t, f, e);
        break;
    case TP_KIND_TASK_BEGIN:
    case TP_KIND_TASK_END:
        if (has_tasks)
            tp_track_task_event(t, f, e);
        return;
    case TP_KIND_REGION_BEGIN:
    case TP_KIND_REGION_END:
        if (has_tasks)
            tp_track_region_event(t, f, e);
        return;
    case TP_KIND_LOG:
        if (tp_track_wants(t, TP_TRACK_INTERVALS))
            tp_track_log(t, e);
        put_other(t, f, idx);
        return;
    case TP_KIND_LABEL:
        if (tp_track_wants(t, TP_TRACK_EVIDENCE))
            tp_track_label(t, e);
        break;
    case TP_KIND_METRIC:
        put_other(t, f, idx);
        if (e->type != TP_EV_ProcsChange)
            return;
        break;
    case TP_KIND_STACK_SAMPLE:
        put_other(t, f, idx);
        tp_track_put_labelled(t, f, e->g >= 0 ? tp_track_find_g(t, e->g) : NULL,
                              (struct tp_track_labelled){
                                  .count = 1, .stack = tp_track_stack(t, tp_arg(e, CPUSample, stack))});
        return;
    case TP_KIND_SYNC: t->sync_ns = e->time_ns; break;
    default: break;
    }
    if (e->type != TP_EV_GCSweepBegin && e->type != TP_EV_GCSweepEnd)
        tp_track_gc(t, f, e);
}

void tp_track_event(struct tp_tracker *t, struct tp_facts *f, const struct tp_event *e)
{
    tp_track_other(t, f, e, 0);
}

bool tp_track_make_room(struct tp_facts *f, uint32_t event_count)
{
    return TP_LIST_ROOM_FOR(&f->runs, event_count) &&
           TP_LIST_ROOM_FOR(&f->runnables, event_count) &&
           TP_LIST_ROOM_FOR(&f->syscalls, event_count) &&
           TP_LIST_ROOM_FOR(&f->waitings, event_count) && TP_LIST_ROOM_FOR(&f->wakes, event_count);
}

// WHOSE EVENTS

static const struct tp_track_g *g_at(struct tp_tracker *t, int64_t id)
{
    return id >= 0 ? tp_track_find_g(t, id) : NULL;
}

// Follows an event, and gives out whose it is.
static void follow_whose(struct tp_tracker *t, struct tp_facts *f, const struct tp_event *e,
                         uint32_t idx)
{
    const int64_t ids[TP_TRACK_ROLES] = {e->g, tp_event_changed_goroutine(e)};
    struct tp_track_whose whose;
    for (unsigned i = 0; i < TP_TRACK_ROLES; i++) {
        const struct tp_track_g *g = g_at(t, ids[i]);
        whose.task[i] = g != NULL ? tp_track_task_of(t, g) : TP_NO_TASK;
        whose.function[i] = g != NULL ? g->function : TP_STRING_EMPTY;
    }
    tp_track_other(t, f, e, idx);
    for (unsigned i = 0; i < TP_TRACK_ROLES; i++) {
        const struct tp_track_g *g = g_at(t, ids[i]);
        if (g != NULL)
            whose.function[i] = g->function;
    }
    TP_TRACK_PUT(t, &f->whose, whose);
}

static void follow(struct tp_tracker *t, struct tp_facts *f, const struct tp_event *e,
                   uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        f->event_counts[e[i].type]++;
        if (tp_unlikely(tp_track_wants(t, TP_TRACK_WHOSE)))
            follow_whose(t, f, &e[i], f->event_count + i);
        else
            tp_track_other(t, f, &e[i], f->event_count + i);
    }
}

int tp_tracker_block(struct tp_tracker *t, const struct tp_block *block, struct tp_facts *f,
                     struct tp_error *err)
{
    bool is_new = block->tables != NULL && block->tables != t->tables;
    if (is_new &&
        tp_track_use_tables(t, block->tables, err) != 0)
        return err->code;
    if (is_new && block->event_count > 0 && tp_track_wants(t, TP_TRACK_SPANS))
        block->tables->first_ns = block->events[0].time_ns;
    uint32_t count = (uint32_t)block->event_count;
    if (f->first_life == 0)
        f->first_life = t->life_count + 1;
    t->lacks_memory = t->lacks_memory || !tp_track_make_room(f, count);
    if (t->lacks_memory)
        return tp_tracker_fail_for_memory(err);
    if (t->wants == TP_TRACK_FOR_STATS)
        tp_track_for_stats(t, f, block->events, count, f->event_count);
    else
        follow(t, f, block->events, count);
    f->event_count += count;
    if (t->lacks_memory)
        return tp_tracker_fail_for_memory(err);
    if (count > 0)
        t->last_ns = block->events[count - 1].time_ns;
    if (tp_tracker_bytes(t) > t->max_bytes)
        return tp_fail(err, TP_E_LIMIT, "goroutines and what they do do not fit into %llu MiB",
                       (unsigned long long)(t->max_bytes >> 20));
    return 0;
}
