// Folds intervals with a beginning and an end: those with an id of their own (tasks, pauses, phases
// of the collector), and regions, which mostly nest within a goroutine.
#include "merge/tables/event_shape.h"
#include "stats/fold/partial_breakdown.h"
#include "stats/fold/partial_wake.h"
#include "base/text/system_name.h"

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

// Sets *ret to the record of the goroutine with this id, which is created if needed; to NULL if the
// id is that of no goroutine. A record that is created here does not count as a goroutine.
static bool find_g(struct tp_partial *s, int64_t id, struct tp_partial_g **ret)
{
    *ret = id >= 0 ? tp_partial_find_g(s, id) : NULL;
    if (tp_likely(*ret != NULL) || id < 0)
        return true;
    *ret = tp_partial_add_g(s, id);
    if (*ret != NULL)
        (*ret)->is_of_tasks = true;
    return *ret != NULL;
}

// BY ID

static bool begin(struct tp_partial *s, enum tp_open_kind kind, uint64_t id, uint32_t name,
                  int64_t t)
{
    struct tp_open *open = tp_open_intervals_make(&s->open_intervals[kind], id);
    if (tp_unlikely(open == NULL))
        return false;
    // A copy of a local variable would be read before the variable has left the store buffer.
    *open = (struct tp_open){.id = id, .since_ns = t, .name = name, .stack = TP_NO_STACK,
                             .is_open = true, .is_replaced = true};
    return true;
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

static TP_NOINLINE bool add_slow_task(struct tp_partial *s, const struct tp_partial_g *g,
                                      const struct tp_open *task, uint64_t ns)
{
    const struct tp_slow_interval of = {
        .ns = ns,
        .begin_ns = task->since_ns,
        .id = task->id,
        .name = task->name,
        .logs = tp_task_logs_of(&s->logs_of_tasks.chains, task->logs, ns)};
    return tp_partial_add_slow(s, TP_SLOW_TASK, g, &of, task->mark);
}

static bool break_task_down(struct tp_partial *s, struct tp_partial_g *g,
                            struct tp_open *task, int64_t end_ns)
{
    uint64_t ns = (uint64_t)(end_ns - task->since_ns);
    uint32_t straddle_count = s->marks.straddles.count;
    if ((tp_unlikely(ns >= s->marks.slow[TP_SLOW_TASK].least_ns) &&
         !add_slow_task(s, g, task, ns)) ||
        !tp_partial_break_down(s, TP_SPACE_TASK, task->name, g, task->mark, ns, end_ns))
        return false;
    if (tp_unlikely(s->marks.straddles.count > straddle_count)) {
        s->marks.straddles.items[straddle_count].task = task->id;
        s->marks.straddles.items[straddle_count].logs = task->logs;
    } else {
        tp_task_logs_drop(&s->logs_of_tasks.chains, &task->logs);
    }
    return true;
}

// Forgets a task that has ended, except for its id.
static bool retire_task(struct tp_partial *s, struct tp_open *task)
{
    if (!TP_LIST_ADD(&s->over_tasks, task->id) ||
        tp_idset_add(&s->over_task_ids, task->id, NULL) != 0)
        return false;
    tp_open_intervals_remove(&s->open_intervals[TP_OPEN_TASK], task);
    return true;
}

static bool end_task(struct tp_partial *s, const struct tp_event *e, uint64_t task)
{
    struct tp_open *open = TP_SLAB_GET(&s->open_intervals[TP_OPEN_TASK], task);
    uint32_t task_end;
    struct tp_partial_g *g;
    bool is_over = open == NULL && tp_idset_has(&s->over_task_ids, task);
    if (!find_g(s, e->g, &g) || !tp_partial_task_ends(s, e, g, open, is_over, &task_end))
        return false;
    // Pass no name for an end: whether the name is known depends on where the partial begins.
    if (is_over)
        return record(s, TP_SPACE_TASK, TP_STRING_EMPTY, 0, true);
    if (!end_open(s, TP_OPEN_TASK, open, task, TP_STRING_EMPTY, e->time_ns))
        return false;
    if (open != NULL)
        return break_task_down(s, g, open, e->time_ns) && retire_task(s, open);
    struct tp_open_end *left = &s->open_ends.items[s->open_ends.count - 1];
    left->task_end = task_end;
    return g == NULL || tp_partial_mark(s, g, e->time_ns, &left->mark);
}

static bool begin_task(struct tp_partial *s, const struct tp_event *e, uint64_t task)
{
    struct tp_open open = {.id = task,
                           .since_ns = e->time_ns,
                           .name = tp_partial_string(s, tp_arg(e, UserTaskBegin, name_string)),
                           .is_replaced = true};
    struct tp_partial_g *g;
    return find_g(s, e->g, &g) && tp_partial_task_begins(s, e, g) &&
           (g == NULL || tp_partial_mark(s, g, e->time_ns, &open.mark)) &&
           tp_open_intervals_put(&s->open_intervals[TP_OPEN_TASK], open);
}

TP_NOINLINE bool tp_partial_task(struct tp_partial *s, const struct tp_event *e)
{
    const uint64_t task = tp_arg(e, Task, task);
    bool is_stray =
        e->type == TP_EV_UserTaskEnd && tp_arg(e, UserTaskEnd, name) == TP_NAME_OF_STRAY;
    if (is_stray || !tp_partial_wants(s, TP_PART_INTERVALS))
        return true;
    return e->type == TP_EV_UserTaskEnd ? end_task(s, e, task) : begin_task(s, e, task);
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

// Counts an assist, or a cycle of the collector, that begins at the stack with this id.
static bool count_begin(struct tp_partial *s, uint64_t stack_id, enum tp_stack_type type)
{
    return !tp_partial_wants(s, TP_PART_WAKES) ||
           tp_partial_add_wait(s, tp_partial_stack(s, stack_id), type, 0);
}

static bool end_assist(struct tp_partial *s, const struct tp_event *e)
{
    const struct tp_open *open = TP_SLAB_GET(&s->open_intervals[TP_OPEN_ASSIST], (uint64_t)e->g);
    bool is_left = open == NULL || !open->is_replaced;
    struct tp_partial_g *g;
    if (!find_g(s, e->g, &g) || !tp_partial_clock_assist(s, g, open, e->time_ns) ||
        !end(s, TP_OPEN_ASSIST, (uint64_t)e->g, TP_STRING_EMPTY, e->time_ns))
        return false;
    // From here on no assist of the goroutine is open that began before the partial.
    const struct tp_open over = {.id = (uint64_t)e->g, .since_ns = e->time_ns, .stack = TP_NO_STACK,
                                 .is_replaced = true, .is_over = true};
    return !is_left || tp_open_intervals_put(&s->open_intervals[TP_OPEN_ASSIST], over);
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
        return count_begin(s, tp_arg(e, GCBegin, stack), TP_STACK_CYCLES) &&
               begin(s, TP_OPEN_MARK, 0, TP_STRING_EMPTY, t);
    case TP_EV_GCEnd: return end(s, TP_OPEN_MARK, 0, TP_STRING_EMPTY, t);
    case TP_EV_GCSweepActive: return activate(s, TP_OPEN_SWEEP, tp_arg(e, GCSweepActive, p), t);
    case TP_EV_GCMarkAssistActive:
        return activate(s, TP_OPEN_ASSIST, tp_arg(e, GCMarkAssistActive, g), t);
    case TP_EV_GCMarkAssistBegin:
        return count_begin(s, tp_arg(e, GCMarkAssistBegin, stack), TP_STACK_ASSISTS) &&
               begin(s, TP_OPEN_ASSIST, g, TP_STRING_EMPTY, t);
    case TP_EV_GCMarkAssistEnd:
        return end_assist(s, e);
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

static bool begin_region(struct tp_partial *s, struct tp_partial_g *g, struct tp_nest_key key,
                         uint32_t name, int64_t t)
{
    uint32_t mark;
    if (!tp_partial_mark(s, g, t, &mark))
        return false;
    struct tp_partial_clock *clock = &s->marks.clocks.items[g->clock];
    if (!TP_NESTS_PUSH(&s->regions, &clock->region, (uint64_t)g->id, key))
        return false;
    struct tp_region_mark *open = &s->regions.items[clock->region];
    open->name = name;
    open->mark = mark;
    open->time_ns = t;
    return true;
}

// Ends a region that began before the partial.
static TP_NOINLINE bool leave_region(struct tp_partial *s, struct tp_partial_g *g,
                                     struct tp_nest_key key, uint32_t name, int64_t t)
{
    struct tp_region_mark end = {.nest.key = key, .name = name, .time_ns = t};
    uint32_t slot = TP_SLOTS_TAKE(&s->regions);
    if (slot == 0 || !tp_partial_mark(s, g, t, &end.mark))
        return false;
    struct tp_partial_clock *clock = &s->marks.clocks.items[g->clock];
    s->regions.items[slot] = end;
    if (clock->last_region_end != 0)
        s->regions.items[clock->last_region_end].nest.next = slot;
    else
        clock->region_ends = slot;
    clock->last_region_end = slot;
    return true;
}

static TP_NOINLINE bool add_slow_region(struct tp_partial *s, const struct tp_partial_g *g,
                                        const struct tp_region_mark *open, uint64_t ns)
{
    const struct tp_slow_interval of = {.ns = ns, .begin_ns = open->time_ns, .name = open->name};
    return tp_partial_add_slow(s, TP_SLOW_REGION, g, &of, open->mark);
}

// Records a region that began and ended here.
static bool record_region(struct tp_partial *s, struct tp_partial_g *g,
                          const struct tp_region_mark *open, int64_t t)
{
    uint64_t ns = (uint64_t)(t - open->time_ns);
    return record(s, TP_SPACE_REGION, open->name, t - open->time_ns, false) &&
           (tp_likely(ns < s->marks.slow[TP_SLOW_REGION].least_ns) ||
            add_slow_region(s, g, open, ns)) &&
           tp_partial_break_down(s, TP_SPACE_REGION, open->name, g, open->mark, ns, t);
}

// Ends the innermost region with this key or, if its name is not known, the innermost one.
static bool end_region(struct tp_partial *s, struct tp_partial_g *g, struct tp_nest_key key,
                       uint32_t name, int64_t t)
{
    struct tp_partial_clock *clock = tp_partial_clock_of(s, g);
    if (clock == NULL)
        return false;
    uint32_t slot = key.name != TP_REGION_KEY_UNKNOWN
                        ? TP_NESTS_FIND(&s->regions, clock->region, (uint64_t)g->id, key)
                        : clock->region;
    if (slot == 0)
        return leave_region(s, g, key, name, t);
    const struct tp_region_mark open = s->regions.items[slot];
    TP_NESTS_REMOVE(&s->regions, &clock->region, (uint64_t)g->id, slot);
    return record_region(s, g, &open, t);
}

TP_NOINLINE bool tp_partial_region(struct tp_partial *s, const struct tp_event *e)
{
    if (e->g < 0 || !tp_partial_wants(s, TP_PART_INTERVALS))
        return true;
    struct tp_partial_g *g = tp_partial_g_of(s, e->g);
    if (g == NULL)
        return false;
    g->is_of_tasks = false;
    const uint64_t name_id = tp_arg(e, Region, name_string);
    uint32_t name = tp_partial_string(s, name_id);
    struct tp_nest_key key = {tp_arg(e, Region, task),
                              TP_REGION_KEY_NAME(s->tables->strings.items[name])};
    if (e->type == TP_EV_UserRegionBegin)
        return begin_region(s, g, key, name, e->time_ns);
    if (tp_unlikely(!tp_tables_has_string(s->tables, name_id)))
        key.name = TP_REGION_KEY_UNKNOWN;
    return tp_arg(e, UserRegionEnd, is_stray) != 0 || end_region(s, g, key, name, e->time_ns);
}

bool tp_partial_close_regions(struct tp_partial *s, struct tp_partial_g *g, int64_t end_ns)
{
    if (g->clock == 0)
        return true;
    const struct tp_partial_clock *clock = &s->marks.clocks.items[g->clock];
    bool is_system = tp_is_system_goroutine(s->tables->strings.items[g->name]);
    // Record each end as a region without a beginning: the goroutine was created in this partial,
    // so no region can have begun before the partial.
    for (uint32_t at = clock->region_ends; at != 0; at = s->regions.items[at].nest.next) {
        if (!record(s, TP_SPACE_REGION, s->regions.items[at].name, 0, true))
            return false;
    }
    for (uint32_t at = clock->region; at != 0 && !is_system; at = s->regions.items[at].nest.next) {
        const struct tp_region_mark open = s->regions.items[at];
        if (!record_region(s, g, &open, end_ns))
            return false;
    }
    return true;
}
