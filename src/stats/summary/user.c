// User annotations in a summary: regions, tasks, logs. See summary.h.
#include "base/text/system_name.h"
#include "stats/summary/summary.h"

// Adds a goroutine to the items of a task. A cache drops most of the many repeated pairs.
static void note_goroutine(struct tp_summary *s, uint64_t task, int64_t goroutine)
{
    size_t at = (size_t)((task * 31 + (uint64_t)goroutine) % TP_SUMMARY_PAIRS);
    if (s->pairs[at].is_set && s->pairs[at].task == task && s->pairs[at].goroutine == goroutine)
        return;
    s->pairs[at].is_set = true;
    s->pairs[at].task = task;
    s->pairs[at].goroutine = goroutine;
    tp_summary_put_task_goroutine(&s->items, task, goroutine, &s->status);
}

// REGIONS

static struct tp_region_result result_of(const struct tp_summary_region *r,
                                         const struct tp_times *times)
{
    return (struct tp_region_result){
        .item = {.task = r->task, .has_start = 1, .start_ns = r->start_ns},
        .name = tp_summary_region_name(r),
        .times = times};
}

static void begin_region(struct tp_summary *s, const struct tp_event *e, const struct tp_tables *t)
{
    struct tp_summary_goroutine *g = tp_summary_goroutine_of(s, e->g);
    struct tp_region region;
    if (g == NULL || !tp_event_region(e, t, &region))
        return;
    tp_goroutine_snapshot(g, e->time_ns, s->fixes, &s->scratch, &s->status);
    tp_goroutine_push_region(&s->regions, g, region.task, tp_text_span(region.name), e->time_ns,
                             &s->scratch, false, &s->status);
    note_goroutine(s, region.task, g->id);
}

// Handles the end of a region whose beginning is unknown: the region gets all times that the
// goroutine has spent so far.
static void end_unknown_region(struct tp_summary *s, struct tp_summary_goroutine *g,
                               const struct tp_event *e, const struct tp_region *region)
{
    struct tp_region_result result = {
        .item = {.task = region->task, .has_end = 1, .end_ns = e->time_ns},
        .name = tp_text_span(region->name),
        .times = &s->scratch};
    note_goroutine(s, region->task, g->id);
    tp_summary_put_task_region(&s->items, &result, &s->status);
    tp_summary_put_goroutine_region(&s->items, g, &result, &s->status);
}

static void subtract_base(struct tp_summary *s, const struct tp_summary_region *r)
{
    struct tp_times base = tp_summary_region_base(r);
    tp_times_subtract(&s->scratch, &base);
}

// Adds a region of the goroutine, which has ended, to s->items and removes it from the open
// regions. s->scratch has the goroutine's times.
static void put_region(struct tp_summary *s, struct tp_summary_goroutine *g, uint32_t slot,
                       bool has_end, int64_t end_ns)
{
    const struct tp_summary_region *r = tp_summary_region_at(&s->regions, slot);
    subtract_base(s, r);
    struct tp_region_result result = result_of(r, &s->scratch);
    result.item.has_end = has_end;
    result.item.end_ns = end_ns;
    if (!r->is_inherited)
        tp_summary_put_task_region(&s->items, &result, &s->status);
    tp_summary_put_goroutine_region(&s->items, g, &result, &s->status);
    tp_goroutine_remove_region(&s->regions, g, slot, &s->status);
}

// An end closes the innermost region of its goroutine with the same task and name. Go's Summarizer
// closes the innermost region, which is the same in all traces that Go reads, except that an end
// without any region closes an inherited one.
static void end_region(struct tp_summary *s, const struct tp_event *e, const struct tp_tables *t)
{
    struct tp_summary_goroutine *g = tp_summary_goroutine_of(s, e->g);
    struct tp_region region;
    if (g == NULL || !tp_event_region(e, t, &region))
        return;
    const struct tp_summary_region *top = tp_summary_region_at(&s->regions, g->region);
    bool is_only_go = !s->fixes && (top == NULL || top->is_inherited);
    uint32_t slot =
        tp_goroutine_find_region(&s->regions, g, region.task, tp_text_span(region.name));
    if (slot == 0 && (is_only_go || !tp_tables_has_string(t, tp_arg(e, Region, name_string))))
        slot = g->region;
    if (slot == 0 && !is_only_go && tp_arg(e, UserRegionEnd, is_stray) != 0)
        return;
    tp_goroutine_snapshot(g, e->time_ns, s->fixes, &s->scratch, &s->status);
    if (slot != 0)
        put_region(s, g, slot, true, e->time_ns);
    else
        end_unknown_region(s, g, e, &region);
}

void tp_summary_inherit(struct tp_summary *s, struct tp_summary_goroutine *g,
                        const struct tp_event *e)
{
    const struct tp_summary_goroutine *creator = tp_summary_goroutine_of(s, e->g);
    static const struct tp_times nothing;
    if (creator != NULL && creator != g && creator->region != 0)
        tp_goroutine_push_region(&s->regions, g,
                                 tp_summary_region_at(&s->regions, creator->region)->task,
                                 tp_span_of(NULL, 0), e->time_ns, &nothing, true, &s->status);
}

// Removes the goroutine's innermost region but, like Go, gives the region no end: it is listed only
// among the task's regions. Instead of the times spent in the region, it has the goroutine's totals
// at the region's beginning.
static void leave_innermost(struct tp_summary *s, struct tp_summary_goroutine *g)
{
    const struct tp_summary_region *r = tp_summary_region_at(&s->regions, g->region);
    struct tp_times base = tp_summary_region_base(r);
    struct tp_region_result result = result_of(r, &base);
    if (!r->is_inherited)
        tp_summary_put_task_region(&s->items, &result, &s->status);
    tp_goroutine_remove_region(&s->regions, g, g->region, &s->status);
}

void tp_summary_drop_regions(struct tp_summary *s, struct tp_summary_goroutine *g)
{
    while (g->region != 0)
        leave_innermost(s, g);
}

// A goroutine of the runtime inherits the task of the goroutine that happens to start it, which has
// no meaning, so its inherited regions are dropped. Go recognises goroutines of the runtime by
// their names. Go also takes goroutines without a name for goroutines of the runtime, and never
// ends the regions that the program began in them.
void tp_summary_end_regions(struct tp_summary *s, struct tp_summary_goroutine *g, bool has_end,
                            int64_t end_ns)
{
    bool is_of_system = tp_is_system_goroutine(tp_intern_text(&s->names, g->name));
    while (g->region != 0) {
        bool is_inherited = tp_summary_region_at(&s->regions, g->region)->is_inherited;
        if (is_of_system && (is_inherited || !s->fixes)) {
            leave_innermost(s, g);
            continue;
        }
        tp_times_copy(&s->scratch, &g->times, &s->status);
        put_region(s, g, g->region, has_end, end_ns);
    }
}

// TASKS AND LOGS

// Adds a task to the children of its parent. If several events of the task name a parent, only the
// first counts.
static void note_parent(struct tp_summary *s, const struct tp_task_event *task)
{
    uint64_t before = tp_idset_count(&s->children);
    if (task->parent == TP_NO_TASK || s->status.code != 0)
        return;
    s->status.code = tp_idset_add(&s->children, task->id, s->status.err);
    if (tp_idset_count(&s->children) > before)
        tp_summary_put_task_child(&s->items, task->parent, task->id, &s->status);
}

static void task_event(struct tp_summary *s, const struct tp_event *e, const struct tp_tables *t)
{
    struct tp_task_event task;
    bool is_stray =
        e->type == TP_EV_UserTaskEnd && tp_arg(e, UserTaskEnd, name) == TP_NAME_OF_STRAY;
    if ((is_stray && s->fixes) || !tp_event_task(e, t, &task))
        return;
    note_goroutine(s, task.id, e->g);
    tp_summary_put_task_event(&s->items, s->totals.event_count, e->type == TP_EV_UserTaskEnd,
                              e->time_ns, &task, &s->status);
    note_parent(s, &task);
}

static void log_event(struct tp_summary *s, const struct tp_event *e, const struct tp_tables *t)
{
    struct tp_log log;
    if (!tp_event_log(e, t, &log))
        return;
    note_goroutine(s, log.task, e->g);
    tp_summary_put_task_log(&s->items, s->totals.event_count, e->time_ns, e->g, &log, &s->status);
}

void tp_summary_user_event(struct tp_summary *s, const struct tp_event *e,
                           const struct tp_tables *t)
{
    switch (tp_event_kind(e)) {
    case TP_KIND_REGION_BEGIN: begin_region(s, e, t); break;
    case TP_KIND_REGION_END: end_region(s, e, t); break;
    case TP_KIND_TASK_BEGIN:
    case TP_KIND_TASK_END: task_event(s, e, t); break;
    case TP_KIND_LOG: log_event(s, e, t); break;
    default: break;
    }
}
