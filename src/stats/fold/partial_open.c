// Folds intervals with a beginning and an end: those with an id of their own (tasks, pauses, phases
// of the collector), and regions, which nest within a goroutine.
#include "merge/tables/event_shape.h"
#include "stats/fold/partial_wake.h"
#include "stats/system_name.h"

const enum tp_durations_space tp_open_spaces[TP_OPEN_KIND_COUNT] = {
#define TP_X(kind) TP_SPACE_##kind,
    TP_OPEN_KINDS(TP_X)
#undef TP_X
};

static bool record(struct tp_partial *s, enum tp_durations_space space, uint32_t name, int64_t ns,
                   bool is_cut)
{
    return tp_durations_record_again(&s->durations, space, name, (uint64_t)ns, is_cut);
}

// BY ID

static bool begin(struct tp_partial *s, enum tp_open_kind kind, uint64_t id, uint32_t name,
                  int64_t t)
{
    struct tp_open open = {
        .id = id, .since_ns = t, .name = name, .stack = TP_NO_STACK, .is_replaced = true};
    return tp_open_intervals_put(&s->open_intervals[kind], open);
}

static bool activate(struct tp_partial *s, enum tp_open_kind kind, uint64_t id, int64_t t)
{
    const struct tp_open *open = TP_SLAB_GET(&s->open_intervals[kind], id);
    if (open != NULL && !open->is_over)
        return true;
    struct tp_open active = {
        .id = id, .since_ns = t, .stack = TP_NO_STACK, .is_active = true,
        .is_replaced = open != NULL};
    return tp_open_intervals_put(&s->open_intervals[kind], active);
}

// Leaves to the stitch the end of an interval that began before the partial. `open` is the
// interval's record if an event of this partial reported the interval as active, else NULL.
static TP_NOINLINE bool leave_end(struct tp_partial *s, enum tp_open_kind kind,
                                  struct tp_open_end end, struct tp_open *open)
{
    end.kind = (uint8_t)kind;
    if (open != NULL) {
        end.is_active = true;
        end.active_ns = open->since_ns;
        tp_open_intervals_remove(&s->open_intervals[kind], open);
    }
    return TP_LIST_ADD(&s->open_ends, end);
}

// Ends the interval with this id, whose record is `open`; NULL: it has none.
TP_INLINE bool end_open(struct tp_partial *s, enum tp_open_kind kind, struct tp_open *open,
                        uint64_t id, uint32_t name, int64_t t)
{
    if (tp_unlikely(open == NULL || !open->is_replaced)) {
        struct tp_open_end left = {.id = id, .end_ns = t, .name = name};
        return leave_end(s, kind, left, open);
    }
    if (tp_unlikely(open->is_over))
        return record(s, tp_open_spaces[kind], name, 0, true);
    open->is_over = true;
    bool is_stop = kind == TP_OPEN_PAUSE && !open->is_active && tp_partial_wants(s, TP_PART_WAKES);
    return (!is_stop || tp_partial_stop(s, open, t)) &&
           record(s, tp_open_spaces[kind], open->name, t - open->since_ns, open->is_active);
}

static bool end(struct tp_partial *s, enum tp_open_kind kind, uint64_t id, uint32_t name,
                int64_t t)
{
    return end_open(s, kind, TP_SLAB_GET(&s->open_intervals[kind], id), id, name, t);
}

static bool end_task(struct tp_partial *s, const struct tp_event *e, uint64_t task)
{
    struct tp_open *open = TP_SLAB_GET(&s->open_intervals[TP_OPEN_TASK], task);
    uint32_t task_end;
    // Pass no name for an end: whether the name is known depends on where the partial begins.
    if (!tp_partial_task_ends(s, e, open, &task_end) ||
        !end_open(s, TP_OPEN_TASK, open, task, TP_STRING_EMPTY, e->time_ns))
        return false;
    if (open == NULL)
        s->open_ends.items[s->open_ends.count - 1].task_end = task_end;
    return true;
}

TP_NOINLINE bool tp_partial_task(struct tp_partial *s, const struct tp_event *e)
{
    const uint64_t task = tp_arg(e, Task, task);
    if (!tp_partial_wants(s, TP_PART_INTERVALS))
        return true;
    if (e->type == TP_EV_UserTaskEnd)
        return end_task(s, e, task);
    return tp_partial_task_begins(s, e) &&
           begin(s, TP_OPEN_TASK, task,
                 tp_partial_string(s, tp_arg(e, UserTaskBegin, name_string)), e->time_ns);
}

static uint32_t stw_reason(struct tp_partial *s, const struct tp_event *e)
{
    return tp_partial_string(s, tp_arg(e, STW, kind_string));
}

static bool begin_stop(struct tp_partial *s, const struct tp_event *e)
{
    struct tp_open open = {.id = (uint64_t)e->g,
                           .since_ns = e->time_ns,
                           .name = stw_reason(s, e),
                           .stack = tp_partial_stack(s, tp_arg(e, STWBegin, stack)),
                           .is_replaced = true};
    return tp_open_intervals_put(&s->open_intervals[TP_OPEN_PAUSE], open);
}

// Counts an assist, or a cycle of the collector, under the stack with this id.
static bool count_begin(struct tp_partial *s, uint64_t stack_id, bool is_assist)
{
    if (!tp_partial_wants(s, TP_PART_WAKES))
        return true;
    uint32_t pair = tp_partial_pair_of(s, stack_id, 0, TP_MEASURE_NONE);
    if (pair == TP_INDEX_NONE)
        return false;
    s->pairs.items[pair].assist_count += is_assist;
    s->pairs.items[pair].cycle_count += !is_assist;
    return true;
}

static TP_NOINLINE bool add_rare_range(struct tp_partial *s, const struct tp_event *e)
{
    const int64_t t = e->time_ns;
    const uint64_t g = (uint64_t)e->g;
    if (!tp_partial_wants(s, TP_PART_INTERVALS))
        return true;
    switch (e->type) {
    case TP_EV_STWBegin: return begin_stop(s, e);
    case TP_EV_STWEnd:
        return tp_partial_end_stop(s, e) &&
               end(s, TP_OPEN_PAUSE, g, stw_reason(s, e), t);
    case TP_EV_GCActive: return activate(s, TP_OPEN_MARK, 0, t);
    case TP_EV_GCBegin:
        return count_begin(s, tp_arg(e, GCBegin, stack), false) &&
               begin(s, TP_OPEN_MARK, 0, TP_STRING_EMPTY, t);
    case TP_EV_GCEnd: return end(s, TP_OPEN_MARK, 0, TP_STRING_EMPTY, t);
    case TP_EV_GCSweepActive: return activate(s, TP_OPEN_SWEEP, tp_arg(e, GCSweepActive, p), t);
    case TP_EV_GCMarkAssistActive:
        return activate(s, TP_OPEN_ASSIST, tp_arg(e, GCMarkAssistActive, g), t);
    case TP_EV_GCMarkAssistBegin:
        return count_begin(s, tp_arg(e, GCMarkAssistBegin, stack), true) &&
               begin(s, TP_OPEN_ASSIST, g, TP_STRING_EMPTY, t);
    case TP_EV_GCMarkAssistEnd: return end(s, TP_OPEN_ASSIST, g, TP_STRING_EMPTY, t);
    default: return true;
    }
}

TP_NOINLINE bool tp_partial_range(struct tp_partial *s, const struct tp_event *e)
{
    const uint64_t p = (uint64_t)e->p;
    // Test sweeps first: a P sweeps before it allocates, so nearly all ranges are sweeps.
    if (tp_likely(e->type == TP_EV_GCSweepBegin))
        return begin(s, TP_OPEN_SWEEP, p, TP_STRING_EMPTY, e->time_ns);
    if (tp_likely(e->type == TP_EV_GCSweepEnd))
        return end(s, TP_OPEN_SWEEP, p, TP_STRING_EMPTY, e->time_ns);
    return add_rare_range(s, e) && tp_partial_gc(s, e);
}

// REGIONS

static bool begin_region(struct tp_partial *s, struct tp_partial_g *g, uint32_t name, int64_t t)
{
    if (!TP_SLOTS_PUSH(&s->regions, &g->region))
        return false;
    s->regions.items[g->region].name = name;
    s->regions.items[g->region].time_ns = t;
    return true;
}

static bool end_region(struct tp_partial *s, struct tp_partial_g *g, uint32_t name, int64_t t)
{
    if (g->region != 0) {
        const struct tp_region_mark open = s->regions.items[g->region];
        TP_SLOTS_POP(&s->regions, &g->region);
        return record(s, TP_SPACE_REGION, open.name, t - open.time_ns, false);
    }
    uint32_t slot = TP_SLOTS_TAKE(&s->regions);
    if (slot == 0)
        return false;
    s->regions.items[slot] = (struct tp_region_mark){.time_ns = t, .name = name};
    if (g->last_region_end != 0)
        s->regions.items[g->last_region_end].next = slot;
    else
        g->region_ends = slot;
    g->last_region_end = slot;
    return true;
}

TP_NOINLINE bool tp_partial_region(struct tp_partial *s, const struct tp_event *e)
{
    if (e->g < 0 || !tp_partial_wants(s, TP_PART_INTERVALS))
        return true;
    struct tp_partial_g *g = tp_partial_g_of(s, e->g);
    if (g == NULL)
        return false;
    g->is_of_tasks = false;
    uint32_t name = tp_partial_string(s, tp_arg(e, Region, name_string));
    if (e->type == TP_EV_UserRegionBegin)
        return begin_region(s, g, name, e->time_ns);
    return end_region(s, g, name, e->time_ns);
}

bool tp_partial_close_regions(struct tp_partial *s, struct tp_partial_g *g, int64_t end_ns)
{
    bool is_system = tp_is_system_goroutine(s->tables->strings.items[g->name]);
    // Record each end as a region without a beginning: the goroutine was created in this partial,
    // so no region can have begun before the partial.
    for (uint32_t at = g->region_ends; at != 0; at = s->regions.items[at].next) {
        if (!record(s, TP_SPACE_REGION, s->regions.items[at].name, 0, true))
            return false;
    }
    for (uint32_t at = g->region; at != 0 && !is_system; at = s->regions.items[at].next) {
        const struct tp_region_mark *open = &s->regions.items[at];
        if (!record(s, TP_SPACE_REGION, open->name, end_ns - open->time_ns, false))
            return false;
    }
    return true;
}
