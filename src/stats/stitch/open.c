// Joins the open intervals of partials: those with an id (tasks, pauses, phases of the collector),
// and regions.
#include "stats/evidence.h"
#include "base/text/system_name.h"
#include "stats/stitch/stitch.h"

// BY ID

// Records a stop of the world that began in an earlier partial.
static bool record_stop(struct tp_stitch *c, const struct tp_open *stop, int64_t end_ns)
{
    enum tp_evidence evidence;
    if (stop->stack == TP_INTERN_NONE || stop->is_active ||
        !tp_stop_evidence(tp_intern_text(&c->totals.names, stop->name), &evidence))
        return true;
    return tp_stitch_record_evidence(c, evidence, stop->stack,
                                     (uint64_t)(end_ns - stop->since_ns));
}

// Frees what an open interval has in the lists of the stitch.
static void drop(struct tp_stitch *c, unsigned kind, struct tp_open *open)
{
    tp_stitch_drop_mark(c, open->mark);
    if (kind == TP_OPEN_TASK)
        tp_task_logs_drop(&c->task_logs, &open->logs);
}

static void remove_open(struct tp_stitch *c, unsigned kind, struct tp_open *open)
{
    drop(c, kind, open);
    tp_open_intervals_remove(&c->open_intervals[kind], open);
}

static bool break_task_down(struct tp_stitch_step *step, const struct tp_open_end *e,
                            const struct tp_open *open)
{
    struct tp_stitch_interval of = {.space = TP_SPACE_TASK,
                                    .name = open->name,
                                    .ns = (uint64_t)(e->end_ns - open->since_ns),
                                    .begin = open->mark,
                                    .end = e->mark,
                                    .task = open->id,
                                    .begin_ns = open->since_ns};
    if (e->kind != TP_OPEN_TASK)
        return true;
    of.lines = tp_task_logs_of(&step->c->task_logs, open->logs, of.ns);
    return tp_stitch_break_down(step, &of);
}

static bool add_end(struct tp_stitch_step *step, const struct tp_open_end *e)
{
    struct tp_stitch *c = step->c;
    enum tp_durations_space space = tp_open_spaces[e->kind];
    struct tp_open *open = TP_SLAB_GET(&c->open_intervals[e->kind], e->id);
    if (open != NULL) {
        bool fits = tp_stitch_record(c, space, open->name, 0, e->end_ns - open->since_ns,
                                     open->is_active) &&
                    (e->kind != TP_OPEN_PAUSE || record_stop(c, open, e->end_ns)) &&
                    (e->task_end == 0 ||
                     tp_stitch_add_task_end(step, e->task_end - 1, open->name,
                                            (uint64_t)(e->end_ns - open->since_ns))) &&
                    break_task_down(step, e, open);
        remove_open(c, e->kind, open);
        return fits;
    }
    uint32_t name = tp_stitch_name(step, e->name);
    return name != TP_INTERN_NONE &&
           tp_stitch_record(c, space, name, 0, e->is_active ? e->end_ns - e->active_ns : 0, true);
}

// Turns the numbers of an open interval of the partial into those of the stitch.
static bool translate(struct tp_stitch_step *step, unsigned kind, struct tp_open *open)
{
    open->name = tp_stitch_name(step, open->name);
    if (open->name == TP_INTERN_NONE || !tp_stitch_take_mark(step, &open->mark))
        return false;
    if (kind == TP_OPEN_TASK)
        return tp_stitch_take_logs(step, &open->logs);
    bool has_stack = kind == TP_OPEN_PAUSE && tp_stitch_wants(step->c, TP_PART_WAKES);
    open->stack = has_stack ? tp_stitch_stack(step, open->stack) : TP_INTERN_NONE;
    return !has_stack || open->stack != TP_INTERN_NONE;
}

static bool add_open(struct tp_stitch_step *step, unsigned kind, const struct tp_open *from)
{
    struct tp_open *known = TP_SLAB_GET(&step->c->open_intervals[kind], from->id);
    if (from->is_over) {
        if (known != NULL)
            remove_open(step->c, kind, known);
        return true;
    }
    if (!from->is_replaced && known != NULL)
        return true;
    if (known != NULL)
        drop(step->c, kind, known);
    struct tp_open open = *from;
    return translate(step, kind, &open) &&
           tp_open_intervals_put(&step->c->open_intervals[kind], open);
}

// Removes the tasks that were open and whose ids the partial has begun and ended anew, which happens
// in damaged traces only.
static void forget_over_tasks(struct tp_stitch_step *step)
{
    const struct tp_partial *s = step->s;
    for (uint32_t i = 0; i < s->over_tasks.count; i++) {
        struct tp_open *known = TP_SLAB_GET(&step->c->open_intervals[TP_OPEN_TASK],
                                            s->over_tasks.items[i]);
        if (known != NULL)
            remove_open(step->c, TP_OPEN_TASK, known);
    }
}

bool tp_stitch_add_opens(struct tp_stitch_step *step)
{
    const struct tp_partial *s = step->s;
    uint32_t early_log = 0;
    bool fits = true;
    for (uint32_t i = 0; i < s->open_ends.count && fits; i++)
        fits = tp_stitch_add_early_logs(step, &early_log, i) &&
               add_end(step, &s->open_ends.items[i]);
    fits = fits && tp_stitch_add_early_logs(step, &early_log, s->open_ends.count);
    forget_over_tasks(step);
    for (unsigned kind = 0; kind < TP_OPEN_KIND_COUNT; kind++) {
        const struct tp_open_intervals *o = &s->open_intervals[kind];
        for (uint32_t i = 1; i <= o->count && fits; i++)
            fits = !o->items[i].is_open || add_open(step, kind, &o->items[i]);
    }
    return fits;
}

bool tp_stitch_end_opens(struct tp_stitch *c)
{
    bool fits = true;
    for (unsigned kind = 0; kind < TP_OPEN_KIND_COUNT; kind++) {
        for (uint32_t i = 1; i <= c->open_intervals[kind].count && fits; i++) {
            const struct tp_open *open = &c->open_intervals[kind].items[i];
            fits = !open->is_open ||
                   tp_stitch_record(c, tp_open_spaces[kind], open->name, 0,
                                    c->last_ns - open->since_ns, true);
        }
        TP_SLAB_CLEAR(&c->open_intervals[kind]);
    }
    return fits;
}

// REGIONS

static struct tp_stitch_interval interval_of(const struct tp_region_mark *open, int64_t end_ns,
                                             uint32_t end)
{
    return (struct tp_stitch_interval){.space = TP_SPACE_REGION,
                                       .name = open->name,
                                       .ns = (uint64_t)(end_ns - open->time_ns),
                                       .begin = open->mark,
                                       .end = end,
                                       .begin_ns = open->time_ns};
}

// Ends the innermost region with the key of `end`, an item of the partial, or the innermost one if
// the name is not known.
static bool end_region(struct tp_stitch_step *step, struct tp_stitch_g *g,
                       const struct tp_region_mark *end)
{
    struct tp_stitch *c = step->c;
    const struct tp_nest_key key = end->nest.key;
    uint32_t name = tp_stitch_name(step, end->name);
    if (name == TP_INTERN_NONE)
        return false;
    uint32_t slot = key.name != TP_REGION_KEY_UNKNOWN
                        ? TP_NESTS_FIND(&c->regions, g->region, (uint64_t)g->id, key)
                        : g->region;
    if (slot == 0)
        return tp_stitch_record(c, TP_SPACE_REGION, name, 0, 0, true);
    const struct tp_region_mark *open = &c->regions.items[slot];
    const struct tp_stitch_interval of = interval_of(open, end->time_ns, end->mark);
    bool fits = tp_stitch_record(c, TP_SPACE_REGION, of.name, 0, (int64_t)of.ns, false) &&
                tp_stitch_break_down(step, &of);
    tp_stitch_drop_mark(c, open->mark);
    TP_NESTS_REMOVE(&c->regions, &g->region, (uint64_t)g->id, slot);
    return fits;
}

// Pushes the partial's open regions, of which `innermost` is the innermost one.
static bool push_regions(struct tp_stitch_step *step, struct tp_stitch_g *g, uint32_t innermost)
{
    const struct tp_region_mark *items = step->s->regions.items;
    struct tp_stitch *c = step->c;
    uint32_t from = innermost;
    while (from != 0 && items[from].nest.next != 0)
        from = items[from].nest.next;
    for (; from != 0; from = items[from].nest.inner) {
        uint32_t mark = items[from].mark;
        uint32_t name = tp_stitch_name(step, items[from].name);
        if (name == TP_INTERN_NONE || !tp_stitch_take_mark(step, &mark) ||
            !TP_NESTS_PUSH(&c->regions, &g->region, (uint64_t)g->id, items[from].nest.key))
            return false;
        c->regions.items[g->region].name = name;
        c->regions.items[g->region].mark = mark;
        c->regions.items[g->region].time_ns = items[from].time_ns;
    }
    return true;
}

bool tp_stitch_add_regions(struct tp_stitch_step *step, struct tp_stitch_g *g,
                           const struct tp_partial_g *from)
{
    const struct tp_region_mark *items = step->s->regions.items;
    bool fits = true;
    if (from->clock == 0 || from->clock == TP_CLOCK_WANTED)
        return true;
    const struct tp_partial_clock *clock = &step->s->marks.clocks.items[from->clock];
    for (uint32_t at = clock->region_ends; at != 0 && fits; at = items[at].nest.next)
        fits = end_region(step, g, &items[at]);
    return fits && push_regions(step, g, clock->region);
}

static bool break_down_at_end(struct tp_stitch *c, const struct tp_stitch_g *g,
                              const struct tp_region_mark *open, int64_t end_ns)
{
    int64_t last_ns = end_ns > open->time_ns ? end_ns : open->time_ns;
    const struct tp_stitch_interval of = interval_of(open, last_ns, 0);
    return tp_stitch_break_down_at_end(c, g, &of);
}

bool tp_stitch_close_regions(struct tp_stitch *c, struct tp_stitch_g *g, int64_t end_ns,
                             bool is_cut)
{
    // The runtime's own goroutines inherit regions, and never end them.
    bool does_count = !tp_is_system_goroutine(tp_intern_text(&c->totals.names, g->name));
    bool fits = true;
    while (g->region != 0) {
        const struct tp_region_mark *open = &c->regions.items[g->region];
        // A goroutine without an end event ends with its last change, and the region may have
        // begun after that.
        int64_t ns = end_ns > open->time_ns ? end_ns - open->time_ns : 0;
        fits = fits && (!does_count ||
                        (tp_stitch_record(c, TP_SPACE_REGION, open->name, 0, ns, is_cut) &&
                         (is_cut || break_down_at_end(c, g, open, end_ns))));
        tp_stitch_drop_mark(c, open->mark);
        TP_NESTS_REMOVE(&c->regions, &g->region, (uint64_t)g->id, g->region);
    }
    return fits;
}
