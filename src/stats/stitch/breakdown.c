// Joins the clocks and marks of partials (fold/breakdown.h).
#include <string.h>

#include "stats/stitch/stitch.h"

bool tp_stitch_forget_marks(struct tp_stitch_step *step)
{
    const struct tp_stitch_base none = {.life = 0};
    struct tp_stitch_marks *m = &step->c->marks;
    m->bases.count = 0;
    bool fits = true;
    for (uint32_t i = 0; i <= step->s->marks.clocks.count && fits; i++)
        fits = TP_LIST_ADD(&m->bases, none);
    return fits;
}

// CLOCKS

// Returns the partial's clock of a goroutine; NULL: it has none.
static const struct tp_partial_clock *clock_in(const struct tp_stitch_step *step,
                                               const struct tp_partial_g *from)
{
    bool has_clock = from->clock != 0 && from->clock != TP_CLOCK_WANTED;
    return has_clock ? &step->s->marks.clocks.items[from->clock] : NULL;
}

static bool make_clock(struct tp_stitch *c, struct tp_stitch_g *g)
{
    g->clock = TP_SLOTS_TAKE(&c->marks.clocks);
    if (g->clock == 0)
        return false;
    c->marks.clocks.items[g->clock] = (struct tp_stitch_clock){.life = ++c->marks.life_count};
    return true;
}

// Returns the clock of a goroutine without the state that lasts.
static struct tp_class_clock read_clock(const struct tp_stitch *c, const struct tp_stitch_g *g)
{
    const struct tp_stitch_clock *clock = &c->marks.clocks.items[g->clock];
    struct tp_class_clock at = {.assist_ns = clock->assist_ns};
    memcpy(at.ns, g->spent_ns, TP_CLASS_FIRST_BLOCK * sizeof at.ns[0]);
    memcpy(at.ns + TP_CLASS_FIRST_BLOCK, clock->blocked_ns, sizeof clock->blocked_ns);
    return at;
}

bool tp_stitch_begin_clock(struct tp_stitch_step *step, struct tp_stitch_g *g,
                           const struct tp_partial_g *from)
{
    const struct tp_partial_clock *clock = clock_in(step, from);
    if (clock == NULL || (g->clock == 0 && clock->mark_count == 0))
        return true;
    if (g->clock == 0 && !make_clock(step->c, g))
        return false;
    struct tp_stitch_base *base = &step->c->marks.bases.items[from->clock];
    base->life = step->c->marks.clocks.items[g->clock].life;
    base->before = read_clock(step->c, g);
    base->before.ns[TP_CLASS_RUNNING] -= (uint64_t)g->since_ns;
    return true;
}

void tp_stitch_clock_wait(struct tp_stitch *c, const struct tp_stitch_g *g, int64_t ns)
{
    if (g->clock == 0 || g->measure < TP_MEASURE_FIRST_BLOCK)
        return;
    struct tp_span reason = tp_intern_text(&c->totals.reasons, g->measure - TP_MEASURE_FIRST_BLOCK);
    unsigned class = tp_class_of_reason(reason) - TP_CLASS_FIRST_BLOCK;
    c->marks.clocks.items[g->clock].blocked_ns[class] += (uint64_t)ns;
}

// Returns the time of the assist that ends in the partial and began before, if it counts.
static uint64_t assist_ns(const struct tp_stitch *c, const struct tp_partial_clock *clock,
                          const struct tp_stitch_g *g)
{
    if (clock->assist_end_ns == TP_NEVER_NS)
        return 0;
    const struct tp_open *open = TP_SLAB_GET(&c->open_intervals[TP_OPEN_ASSIST], (uint64_t)g->id);
    bool does_count =
        open != NULL && !open->is_active && (!g->is_known || open->since_ns >= g->first_ns);
    return does_count ? (uint64_t)clock->assist_end_ns - (uint64_t)open->since_ns : 0;
}

void tp_stitch_add_clock(struct tp_stitch_step *step, struct tp_stitch_g *g,
                         const struct tp_partial_g *from)
{
    const struct tp_partial_clock *clock = clock_in(step, from);
    if (g->clock == 0 || clock == NULL)
        return;
    struct tp_stitch_clock *own = &step->c->marks.clocks.items[g->clock];
    struct tp_stitch_base *base = &step->c->marks.bases.items[from->clock];
    base->after = read_clock(step->c, g);
    // The record has the partial's times already.
    for (unsigned i = 0; i < TP_CLASS_FIRST_BLOCK; i++)
        base->after.ns[i] -= from->spent_ns[i];
    base->assist_ns = assist_ns(step->c, clock, g);
    for (unsigned i = 0; i < TP_BLOCK_CLASS_COUNT; i++)
        own->blocked_ns[i] += clock->blocked_ns[i];
    own->assist_ns += clock->assist_ns + base->assist_ns;
}

void tp_stitch_drop_clock(struct tp_stitch *c, struct tp_stitch_g *g)
{
    if (g->clock != 0)
        TP_SLOTS_GIVE(&c->marks.clocks, g->clock);
    g->clock = 0;
}

// MARKS

// Returns a mark of the partial as one of the stitch.
static struct tp_stitch_mark mark_of(const struct tp_stitch_step *step, uint32_t number)
{
    const struct tp_partial_mark *from = &step->s->marks.marks.items[number];
    const struct tp_stitch_base *base = &step->c->marks.bases.items[from->clock];
    struct tp_stitch_mark mark = {
        .life = base->life,
        .g = step->s->marks.clocks.items[from->clock].id,
        .at = from->since_ns != TP_NEVER_NS ? base->after : base->before};
    for (unsigned i = 0; i < TP_CLASS_COUNTED; i++)
        mark.at.ns[i] += from->at.ns[i];
    mark.at.assist_ns += from->at.assist_ns + (from->has_assist_end ? base->assist_ns : 0);
    return mark;
}

bool tp_stitch_take_mark(struct tp_stitch_step *step, uint32_t *mark)
{
    if (*mark == 0)
        return true;
    struct tp_stitch_mark taken = mark_of(step, *mark);
    *mark = TP_SLOTS_TAKE(&step->c->marks.marks);
    if (*mark == 0)
        return false;
    step->c->marks.marks.items[*mark] = taken;
    return true;
}

void tp_stitch_drop_mark(struct tp_stitch *c, uint32_t mark)
{
    if (mark != 0)
        TP_SLOTS_GIVE(&c->marks.marks, mark);
}

// INTERVALS

// Adds an interval to the slowest ones. `begin` is the mark of its beginning; NULL: it has none.
static bool add_slow(struct tp_stitch *c, const struct tp_stitch_interval *of,
                     const struct tp_stitch_mark *begin, const struct tp_interval_parts *parts)
{
    enum tp_slow_kind kind = tp_slow_kind_of(of->space);
    if (of->ns < tp_slowest_least_ns(&c->totals.slow, kind))
        return true;
    const struct tp_slow_interval slow = {.ns = of->ns,
                                          .begin_ns = of->begin_ns,
                                          .wall_ns = TP_SLOW_NO_WALL,
                                          .id = of->task,
                                          .g = begin != NULL ? begin->g : -1,
                                          .name = of->name,
                                          .path = TP_INTERN_NONE,
                                          .parts = *parts,
                                          .logs = of->lines};
    return tp_totals_add_slow(&c->totals, kind, &slow);
}

// Records where the time of an interval went, and the interval among the slowest. `begin` is as for
// add_slow.
static bool record(struct tp_stitch *c, const struct tp_stitch_interval *of,
                   const struct tp_stitch_mark *begin, const struct tp_interval_parts *parts)
{
    uint32_t name = of->name;
    return tp_totals_known_name(&c->totals, of->space, &name) &&
           tp_durations_break_down(&c->totals.durations, of->space, name, of->ns, parts) &&
           add_slow(c, of, begin, parts);
}

static bool add_slow_part(struct tp_stitch_step *step, enum tp_slow_kind kind)
{
    const struct tp_slow_part *from = &step->s->marks.slow[kind];
    struct tp_totals *totals = &step->c->totals;
    bool fits = true;
    for (uint32_t i = 0; i < from->items.count && fits; i++) {
        struct tp_slow_interval slow = from->items.items[i];
        if (slow.ns < tp_slowest_least_ns(&totals->slow, kind))
            continue;
        slow.name = tp_stitch_name(step, slow.name);
        fits = slow.name != TP_INTERN_NONE && tp_stitch_take_lines(step, &slow.logs) &&
               tp_totals_add_slow(totals, kind, &slow);
    }
    return fits;
}

bool tp_stitch_add_slow(struct tp_stitch_step *step)
{
    return add_slow_part(step, TP_SLOW_TASK) && add_slow_part(step, TP_SLOW_REGION);
}

// Rows of the totals lie scattered in memory. So each is found and prefetched some rows before the
// sum is added to it.
#define ROWS_AHEAD 16

struct found_rows {
    uint32_t count;
    struct tp_durations_row into[ROWS_AHEAD];
    const struct tp_partial_row *from[ROWS_AHEAD];
};

static void add_found(struct found_rows *found)
{
    for (uint32_t at = 0; at < found->count; at++) {
        const struct tp_partial_row *from = found->from[at];
        struct tp_breakdown_sum sum = {.count = from->count, .assist_ns = from->assist_ns};
        uint64_t elsewhere_ns = from->total_ns;
        for (unsigned i = 0; i < TP_CLASS_COUNTED; i++) {
            sum.ns[i] = from->ns[i];
            elsewhere_ns -= from->ns[i];
        }
        sum.ns[TP_CLASS_ELSEWHERE] = elsewhere_ns;
        tp_breakdown_sum_join(tp_durations_row_sum(&found->into[at]), &sum);
    }
    found->count = 0;
}

// Finds the row of the totals to which a row of the partial is added.
static bool find_row(struct tp_stitch_step *step, const struct tp_partial_row *from,
                     struct found_rows *found)
{
    struct tp_totals *totals = &step->c->totals;
    enum tp_durations_space space = TP_PARTIAL_ROW_SPACE(from->key);
    uint32_t name = tp_stitch_name(step, TP_PARTIAL_ROW_NAME(from->key));
    if (name == TP_INTERN_NONE)
        return false;
    // To keep another name may drop one, and its rows with it.
    bool may_drop = tp_totals_is_limited(space) && !tp_totals_keeps(totals, space, name);
    if (may_drop || found->count == ROWS_AHEAD)
        add_found(found);
    struct tp_durations_row *into = &found->into[found->count];
    if (!tp_totals_known_name(totals, space, &name) ||
        !tp_durations_find_row(&totals->durations, space, name, TP_PARTIAL_ROW_BUCKET(from->key),
                               into))
        return false;
    found->from[found->count++] = from;
    const char *sum = (const char *)tp_durations_row_sum(into);
    for (size_t at = 0; at < sizeof(struct tp_breakdown_sum); at += TP_CACHE_LINE)
        __builtin_prefetch(sum + at, 1);
    __builtin_prefetch(sum + sizeof(struct tp_breakdown_sum) - 1, 1);
    return true;
}

bool tp_stitch_add_rows(struct tp_stitch_step *step)
{
    const struct tp_partial_rows *rows = &step->s->marks.rows;
    struct found_rows found = {.count = 0};
    bool fits = true;
    for (uint32_t i = 0; i < rows->count && fits; i++)
        fits = find_row(step, &rows->items[i], &found);
    add_found(&found);
    return fits;
}

static struct tp_interval_parts parts_of(const struct tp_stitch_mark *begin,
                                         const struct tp_stitch_mark *end, uint64_t ns)
{
    return begin->life == end->life && begin->life != 0
               ? tp_interval_parts_of(&begin->at, &end->at, ns)
               : tp_interval_elsewhere(ns);
}

bool tp_stitch_break_down(struct tp_stitch_step *step, const struct tp_stitch_interval *of)
{
    struct tp_interval_parts parts = tp_interval_elsewhere(of->ns);
    if (of->begin != 0 && of->end != 0) {
        const struct tp_stitch_mark end = mark_of(step, of->end);
        parts = parts_of(&step->c->marks.marks.items[of->begin], &end, of->ns);
    }
    const struct tp_stitch_mark *begin =
        of->begin != 0 ? &step->c->marks.marks.items[of->begin] : NULL;
    return record(step->c, of, begin, &parts);
}

bool tp_stitch_break_down_at_end(struct tp_stitch *c, const struct tp_stitch_g *g,
                                 const struct tp_stitch_interval *of)
{
    struct tp_interval_parts parts = tp_interval_elsewhere(of->ns);
    const struct tp_stitch_mark *begin = of->begin != 0 ? &c->marks.marks.items[of->begin] : NULL;
    if (begin != NULL && g->clock != 0) {
        // The goroutine has ended, so no state lasts.
        const struct tp_stitch_mark end = {.life = c->marks.clocks.items[g->clock].life,
                                           .at = read_clock(c, g)};
        parts = parts_of(begin, &end, of->ns);
    }
    return record(c, of, begin, &parts);
}

bool tp_stitch_add_straddles(struct tp_stitch_step *step)
{
    const struct tp_partial_marks *from = &step->s->marks;
    bool fits = true;
    for (uint32_t i = 0; i < from->straddles.count && fits; i++) {
        const struct tp_partial_straddle *straddle = &from->straddles.items[i];
        const struct tp_stitch_mark begin = mark_of(step, straddle->begin);
        const struct tp_stitch_mark end = mark_of(step, straddle->end);
        struct tp_interval_parts parts = parts_of(&begin, &end, straddle->ns);
        struct tp_stitch_interval of = {
            .space = (enum tp_durations_space)straddle->space,
            .name = tp_stitch_name(step, straddle->name),
            .ns = straddle->ns,
            .task = straddle->task,
            .begin_ns = straddle->begin_ns,
            .lines = tp_task_logs_of(&step->s->logs_of_tasks.chains, straddle->logs, straddle->ns)};
        fits = of.name != TP_INTERN_NONE && tp_stitch_take_lines(step, &of.lines) &&
               record(step->c, &of, &begin, &parts);
    }
    return fits;
}
