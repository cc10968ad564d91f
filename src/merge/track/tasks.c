// Follows tasks with their log lines, and regions.
#include "base/digest.h"
#include "base/text/system_name.h"
#include "merge/track/view.h"

// PARTS

uint64_t tp_track_stopped_ns(const struct tp_tracker *t, int64_t time_ns)
{
    uint64_t ns = t->stops.ns + (t->replayed != NULL ? t->replayed->stopped_ns : 0);
    if (t->stops.since_ns != TP_NEVER_NS)
        ns += (uint64_t)time_ns - (uint64_t)t->stops.since_ns;
    return ns;
}

struct tp_track_mark tp_track_mark_of(const struct tp_tracker *t, const struct tp_track_g *g,
                                      int64_t time_ns)
{
    // A goroutine is running when it begins or ends a task or a region.
    int64_t since_ns = (g->now.marks & TP_SPAN_IS_ANNOUNCED) != 0 ? g->begin_ns : g->since_ns;
    struct tp_track_mark m = {
        g->clock, since_ns, tp_track_stopped_ns(t, time_ns), g->id, g->life};
    m.clock.ns[TP_CLASS_RUNNING] += (uint64_t)time_ns - (uint64_t)since_ns;
    return m;
}

// Returns the member `parts` of an interval of `ns` between two marks; adds the parts to the facts,
// unless a TP_TRACK_ALL_* tells them.
static uint32_t parts_between(struct tp_tracker *t, struct tp_facts *f,
                              const struct tp_track_mark *begin, const struct tp_track_mark *end,
                              uint64_t ns)
{
    uint64_t stopped_ns = end->stopped_ns - begin->stopped_ns;
    bool is_followed = begin->life == end->life && begin->life != 0;
    if (!tp_track_wants(t, TP_TRACK_INTERVALS) || (!is_followed && stopped_ns == 0))
        return TP_TRACK_ALL_ELSEWHERE;
    if (is_followed && stopped_ns == 0 && begin->since_ns == end->since_ns &&
        begin->clock.assist_ns == end->clock.assist_ns &&
        end->clock.ns[TP_CLASS_RUNNING] - begin->clock.ns[TP_CLASS_RUNNING] == ns)
        return TP_TRACK_ALL_RUNNING;
    TP_TRACK_PUT(t, &f->parts,
                 is_followed ? tp_interval_parts_of(&begin->clock, &end->clock, stopped_ns, ns)
                             : tp_interval_elsewhere(stopped_ns, ns));
    return f->parts.count - 1;
}

// Returns the mark of the goroutine `g` at the moment at which it ends an interval. `view`: what a
// speculative tracker knew of the goroutine; NULL: the end was not deferred, or was deferred without a
// view. The mark has the life 0 if no known goroutine ends the interval (`g` NULL), or if the view is of
// a goroutine that began during the speculation.
static struct tp_track_mark end_mark(const struct tp_tracker *t, const struct tp_track_g *g,
                                     const struct tp_track_view *view, int64_t time_ns)
{
    struct tp_track_mark m = {.stopped_ns = tp_track_stopped_ns(t, time_ns), .life = 0};
    if (view == NULL)
        return g != NULL ? tp_track_mark_of(t, g, time_ns) : m;
    if (!view->was_before || g == NULL)
        return m;
    m.clock = view->mark.clock;
    m.g = g->id;
    m.life = g->life;
    m.since_ns = TP_NEVER_NS;
    tp_class_clock_add(&m.clock, &g->clock);
    return m;
}

// TASKS

// Returns the goroutine of a task event, and adds a missing one with the mark TP_SPAN_OF_TASKS. NULL: the
// event has no goroutine, or memory is out.
static struct tp_track_g *g_of_task(struct tp_tracker *t, int64_t id)
{
    return id >= 0 ? tp_track_g_of(t, id) : NULL;
}

// TASK OF A GOROUTINE

uint64_t tp_track_task_of(const struct tp_tracker *t, const struct tp_track_g *g)
{
    uint64_t task = g->region != 0 ? t->regions.items[g->region].nest.key.task : 0;
    if (g->region == 0 && g->task != 0)
        task = t->tasks.items[g->task].id;
    return task != 0 ? task : TP_NO_TASK; // 0: the background task
}

// Removes a task from the chain of the tasks that its goroutine began.
static void unlink_task(struct tp_tracker *t, struct tp_track_task *task)
{
    if (task->older != 0)
        t->tasks.items[task->older].newer = task->newer;
    if (task->newer != 0)
        t->tasks.items[task->newer].older = task->older;
    struct tp_track_g *g = task->newer == 0 && task->g >= 0 ? tp_track_find_g(t, task->g) : NULL;
    if (g != NULL && g->task != 0 && &t->tasks.items[g->task] == task)
        g->task = task->older;
    task->g = TP_NO_GOROUTINE;
    task->older = task->newer = 0;
}

void tp_track_leave_tasks(struct tp_tracker *t, struct tp_track_g *g)
{
    while (g->task != 0)
        unlink_task(t, &t->tasks.items[g->task]);
}

static void drop_task(struct tp_tracker *t, struct tp_track_task *task)
{
    if (tp_track_wants(t, TP_TRACK_TASK_OF))
        unlink_task(t, task);
    task->is_open = false;
    TP_SLAB_REMOVE(&t->tasks, task->id);
}

static void link_task(struct tp_tracker *t, struct tp_track_g *g, struct tp_track_task *task)
{
    task->g = g->id;
    task->older = g->task;
    uint32_t slot = (uint32_t)(task - t->tasks.items);
    if (g->task != 0)
        t->tasks.items[g->task].newer = slot;
    g->task = slot;
}

// BEGIN AND END

static void begin_task(struct tp_tracker *t, const struct tp_event *e)
{
    uint64_t id = tp_arg(e, UserTaskBegin, task);
    struct tp_track_g *g = g_of_task(t, e->g);
    struct tp_track_task *task = TP_SLAB_GET(&t->tasks, id);
    if (task != NULL)
        drop_task(t, task);
    if (g != NULL && tp_track_is_unsettled(g)) {
        tp_track_defer_event(t, e);
        return;
    }
    task = TP_SLAB_GET_OR_ADD(&t->tasks, id);
    if (task == NULL) {
        t->lacks_memory = true;
        return;
    }
    *task = (struct tp_track_task){.id = id,
                                   .parent = tp_arg(e, UserTaskBegin, parent_task),
                                   .since_ns = e->time_ns,
                                   .name = tp_track_string(t, tp_arg(e, UserTaskBegin, name_string)),
                                   .g = TP_NO_GOROUTINE,
                                   .mark = {.g = TP_NO_GOROUTINE,
                                            .stopped_ns = tp_track_stopped_ns(t, e->time_ns)},
                                   .is_open = true};
    tp_track_touch(t, &t->touched_tasks, (uint32_t)(task - t->tasks.items));
    if (g == NULL)
        return;
    task->mark = tp_track_mark_of(t, g, e->time_ns);
    if (tp_track_wants(t, TP_TRACK_EVIDENCE))
        tp_track_forget_legs(g, e->time_ns);
    if (tp_track_wants(t, TP_TRACK_TASK_OF))
        link_task(t, g, task);
}

void tp_track_put_leg(struct tp_tracker *t, struct tp_facts *f, const struct tp_track_legs *legs,
                      uint64_t task_ns, uint32_t name)
{
    if (legs->longest_ns == 0 || legs->longest_ns == TP_LEG_LONGEST)
        return;
    // The longest leg may have begun before the task, if another goroutine began the task. So no more
    // than the time of the task counts.
    const struct tp_track_note note = {
        .ns = legs->longest_ns < task_ns ? legs->longest_ns : task_ns,
        .of_ns = task_ns,
        .stack = legs->longest_stack,
        .other = name,
        .kind = TP_TRACK_TASK_LEG};
    TP_TRACK_PUT(t, &f->notes, note);
}

// `g`: the goroutine that ends a task by the event `e`. Without a view: ends the legs of `g`, returns
// them, and makes `g` forget them; `g` NULL: returns no legs. With a view: returns the legs of the view,
// joined to those of `g`.
static struct tp_track_legs end_legs(struct tp_tracker *t, const struct tp_event *e,
                                     struct tp_track_g *g, const struct tp_track_view *view)
{
    struct tp_track_legs legs = {.longest_ns = 0};
    if (view != NULL)
        return tp_track_legs_of(view, g);
    if (g != NULL) {
        tp_track_end_leg(t, g, e->time_ns, tp_track_stack(t, tp_arg(e, UserTaskEnd, stack)));
        legs = g->legs;
        tp_track_forget_legs(g, e->time_ns);
    }
    return legs;
}

// Gives out a task or region as a struct tp_interval (tracepipe/span.h). `of`: the same interval in the
// form for sums. `i`: the members that this form does not have.
static void put_lasting(struct tp_tracker *t, struct tp_facts *f,
                        const struct tp_track_interval *of, struct tp_interval i)
{
    i.begin_ns = of->begin_ns;
    i.end_ns = (int64_t)((uint64_t)of->begin_ns + of->ns);
    i.goroutine = of->g;
    i.proc = i.thread = -1;
    i.name = of->name;
    i.kind = of->is_task ? TP_INTERVAL_TASK : TP_INTERVAL_REGION;
    i.had_begun = of->is_cut && !i.goes_on;
    tp_track_put_lasting(t, f, i);
}

static void put_task(struct tp_tracker *t, struct tp_facts *f, const struct tp_track_task *task,
                     struct tp_track_interval interval, bool goes_on)
{
    interval.is_task = true;
    interval.task = task->id;
    interval.begin_ns = task->since_ns;
    interval.g = task->mark.g;
    interval.name = task->name;
    put_lasting(t, f, &interval, (struct tp_interval){
                                     .task = task->id, .parent = task->parent, .goes_on = goes_on});
    if (!tp_track_wants(t, TP_TRACK_INTERVALS))
        return;
    interval.first_line = f->lines.count;
    interval.line_count = task->line_count;
    for (unsigned i = 0; i < task->line_count; i++)
        TP_TRACK_PUT(t, &f->lines, task->lines[i]);
    TP_TRACK_PUT(t, &f->intervals, interval);
}

// Defers the end of a task that began before the speculation. False: the task began later, so its end can
// be followed now. If an unsettled goroutine ends a task that began later, the speculation is lost.
static bool defers_end(struct tp_tracker *t, const struct tp_event *e, struct tp_track_g *g,
                       struct tp_track_task *task)
{
    bool is_unsettled = g != NULL && tp_track_is_unsettled(g);
    if (task != NULL && !task->was_before) {
        t->has_lost = t->has_lost || is_unsettled; // its beginning is here, its end is deferred
        return is_unsettled;
    }
    if (g != NULL && !is_unsettled && tp_track_wants(t, TP_TRACK_EVIDENCE))
        tp_track_end_leg(t, g, e->time_ns, tp_track_stack(t, tp_arg(e, UserTaskEnd, stack)));
    tp_track_defer_event_of(t, e, g);
    if (g != NULL && !is_unsettled && tp_track_wants(t, TP_TRACK_EVIDENCE))
        tp_track_forget_legs(g, e->time_ns);
    if (task != NULL)
        drop_task(t, task);
    return true;
}

void tp_track_end_task(struct tp_tracker *t, struct tp_facts *f, const struct tp_event *e,
                       const struct tp_track_view *view)
{
    struct tp_track_g *g = NULL;
    if (view == NULL)
        g = g_of_task(t, e->g);
    else if (view->was_before)
        g = tp_track_find_g(t, e->g);
    struct tp_track_task *task = TP_SLAB_GET(&t->tasks, tp_arg(e, UserTaskEnd, task));
    if (t->is_speculative && defers_end(t, e, g, task))
        return;
    bool is_first = g != NULL && g->was_before && !g->has_task;
    uint32_t first_leg = 0;
    struct tp_track_legs legs = {.longest_ns = 0};
    if (tp_track_wants(t, TP_TRACK_EVIDENCE))
        legs = end_legs(t, e, g, view);
    if (is_first)
        first_leg = g->first_leg;
    struct tp_track_interval interval = {.parts = TP_TRACK_ALL_ELSEWHERE, .is_cut = true};
    if (task == NULL) {
        // The interval gets no name: the order puts the name into the end event only if it has seen the
        // beginning, and whether it has depends on where the input was cut up.
        const struct tp_track_task unknown = {.id = tp_arg(e, UserTaskEnd, task),
                                              .parent = TP_NO_TASK,
                                              .since_ns = e->time_ns,
                                              .name = TP_STRING_EMPTY,
                                              .mark.g = TP_NO_GOROUTINE};
        put_task(t, f, &unknown, interval, false);
        return;
    }
    interval.ns = (uint64_t)(e->time_ns - task->since_ns);
    interval.is_cut = false;
    const struct tp_track_mark end = end_mark(t, g, view, e->time_ns);
    interval.parts = parts_between(t, f, &task->mark, &end, interval.ns);
    put_task(t, f, task, interval, false);
    if (is_first)
        tp_track_defer_leg(t, e, &legs, first_leg, interval.ns, task->name);
    else if (tp_track_wants(t, TP_TRACK_EVIDENCE))
        tp_track_put_leg(t, f, &legs, interval.ns, task->name);
    drop_task(t, task);
}

void tp_track_task_event(struct tp_tracker *t, struct tp_facts *f, const struct tp_event *e)
{
    if (e->type != TP_EV_UserTaskEnd)
        begin_task(t, e);
    else if (tp_arg(e, UserTaskEnd, name) != TP_NAME_OF_STRAY)
        tp_track_end_task(t, f, e, NULL);
}

void tp_track_cut_tasks(struct tp_tracker *t, struct tp_facts *f)
{
    for (uint32_t i = 1; i <= t->tasks.count; i++) {
        const struct tp_track_task *task = &t->tasks.items[i];
        const struct tp_track_interval interval = {.ns = (uint64_t)(t->last_ns - task->since_ns),
                                                   .parts = TP_TRACK_ALL_ELSEWHERE,
                                                   .is_cut = true};
        if (task->is_open)
            put_task(t, f, task, interval, true);
    }
}

void tp_track_log(struct tp_tracker *t, const struct tp_event *e)
{
    uint64_t id = tp_arg(e, UserLog, task);
    struct tp_track_task *task = TP_SLAB_GET(&t->tasks, id);
    if (t->is_speculative && task == NULL) {
        task = TP_SLAB_GET_OR_ADD(&t->tasks, id);
        if (task == NULL) {
            t->lacks_memory = true;
            return;
        }
        *task = (struct tp_track_task){
            .id = id, .parent = TP_NO_TASK, .g = TP_NO_GOROUTINE, .is_open = true, .was_before = true};
    }
    if (task == NULL || task->line_count == TP_TRACK_LINES_MAX)
        return;
    if (task->was_before)
        tp_track_defer_event(t, e);
    tp_track_touch(t, &t->touched_tasks, (uint32_t)(task - t->tasks.items));
    task->lines[task->line_count++] =
        (struct tp_track_line){(uint64_t)e->time_ns - (uint64_t)task->since_ns,
                               tp_track_string(t, tp_arg(e, UserLog, key_string)),
                               tp_track_string(t, tp_arg(e, UserLog, value_string))};
}

// REGIONS

// The key of a region has a digest in place of the name, because several strings of one generation, or of
// two, may have the same text.
static struct tp_nest_key region_key(const struct tp_tracker *t, const struct tp_event *e)
{
    struct tp_span name = t->tables->strings.items[tp_track_string(t, tp_arg(e, Region, name_string))];
    return (struct tp_nest_key){tp_arg(e, Region, task), tp_digest_short(name) | 1};
}

static void put_region(struct tp_tracker *t, struct tp_facts *f,
                       const struct tp_track_region *region, struct tp_track_interval interval,
                       bool goes_on, bool crosses)
{
    interval.begin_ns = region->since_ns;
    interval.g = region->mark.g;
    interval.name = region->name;
    put_lasting(t, f, &interval, (struct tp_interval){.task = region->nest.key.task,
                                                      .goes_on = goes_on,
                                                      .crosses = crosses});
    if (tp_track_wants(t, TP_TRACK_INTERVALS))
        TP_TRACK_PUT(t, &f->intervals, interval);
}

static void begin_region(struct tp_tracker *t, struct tp_track_g *g, const struct tp_event *e)
{
    if (!TP_NESTS_PUSH(&t->regions, &g->region, (uint64_t)g->id, region_key(t, e))) {
        t->lacks_memory = true;
        return;
    }
    struct tp_track_region *region = &t->regions.items[g->region];
    region->since_ns = e->time_ns;
    region->mark = tp_track_mark_of(t, g, e->time_ns);
    region->name = tp_track_string(t, tp_arg(e, Region, name_string));
    region->is_carried = false;
}

void tp_track_end_region(struct tp_tracker *t, struct tp_facts *f, const struct tp_event *e,
                         const struct tp_track_view *view)
{
    struct tp_track_g *g = tp_track_find_g(t, e->g);
    struct tp_nest_key key = region_key(t, e);
    if (g == NULL)
        return;
    // Ends the innermost region with this key or, if the tables lack the name, the innermost region.
    uint32_t slot = g->region;
    if (tp_tables_has_string(t->tables, tp_arg(e, Region, name_string)))
        slot = TP_NESTS_FIND(&t->regions, g->region, (uint64_t)e->g, key);
    if (slot == 0 && g->was_before) {
        tp_track_defer_event_of(t, e, g);
        return;
    }
    if (slot == 0) {
        const struct tp_track_region unknown = {
            .nest.key = key,
            .since_ns = e->time_ns,
            .name = tp_track_string(t, tp_arg(e, Region, name_string)),
            .mark.g = e->g};
        put_region(t, f, &unknown,
                   (struct tp_track_interval){.parts = TP_TRACK_ALL_ELSEWHERE, .is_cut = true},
                   false, false);
        return;
    }
    const struct tp_track_region *region = &t->regions.items[slot];
    struct tp_track_interval interval = {.ns = (uint64_t)(e->time_ns - region->since_ns)};
    const struct tp_track_mark end = end_mark(t, g, view, e->time_ns);
    interval.parts = parts_between(t, f, &region->mark, &end, interval.ns);
    put_region(t, f, region, interval, false, slot != g->region);
    TP_NESTS_REMOVE(&t->regions, &g->region, (uint64_t)e->g, slot);
}

void tp_track_region_event(struct tp_tracker *t, struct tp_facts *f, const struct tp_event *e)
{
    struct tp_track_g *g = e->g >= 0 ? tp_track_g_of(t, e->g) : NULL;
    if (g == NULL)
        return;
    if (tp_track_is_unsettled(g)) {
        tp_track_defer_event(t, e);
        return;
    }
    g->now.marks &= (uint8_t)~TP_SPAN_OF_TASKS;
    if (e->type == TP_EV_UserRegionBegin)
        begin_region(t, g, e);
    else if (tp_arg(e, UserRegionEnd, is_stray) == 0)
        tp_track_end_region(t, f, e, NULL);
}

void tp_track_close_regions(struct tp_tracker *t, struct tp_facts *f, struct tp_track_g *g,
                            int64_t end_ns, bool is_cut)
{
    // Regions of the runtime's own goroutines do not count: these goroutines inherit regions and never
    // end them.
    bool does_count = g->region != 0 &&
                      !tp_is_system_goroutine(tp_track_text(t->tables, g->function));
    while (g->region != 0) {
        const struct tp_track_region *region = &t->regions.items[g->region];
        // A goroutine without an end event ends at its last change of state, and the region may have
        // begun after that change.
        int64_t last_ns = end_ns > region->since_ns ? end_ns : region->since_ns;
        struct tp_track_interval interval = {.ns = (uint64_t)(last_ns - region->since_ns),
                                             .parts = TP_TRACK_ALL_ELSEWHERE,
                                             .is_cut = is_cut};
        if (!is_cut && does_count) {
            const struct tp_track_mark end = tp_track_mark_of(t, g, end_ns);
            interval.parts = parts_between(t, f, &region->mark, &end, interval.ns);
        }
        if (does_count)
            put_region(t, f, region, interval, is_cut, false);
        TP_NESTS_REMOVE(&t->regions, &g->region, (uint64_t)g->id, g->region);
    }
}
