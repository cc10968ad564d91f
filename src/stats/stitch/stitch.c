#include "stats/stitch/stitch.h"

#include "base/alloc.h"
#include "stats/pack.h"

void tp_stitch_fini(struct tp_stitch *c)
{
    tp_totals_fini(&c->totals);
    TP_SLAB_FINI(&c->gs);
    tp_free(c->logs.words.items);
    tp_durations_fini(&c->quick);
    tp_free(c->deferred_waits.items);
    TP_NESTS_FINI(&c->regions);
    tp_free(c->task_logs.items);
    tp_free(c->marks.clocks.items);
    tp_free(c->marks.marks.items);
    tp_free(c->marks.bases.items);
    for (unsigned i = 0; i < TP_OPEN_KIND_COUNT; i++)
        TP_SLAB_FINI(&c->open_intervals[i]);
    tp_free(c->levels.buckets.items);
    tp_map_fini(&c->procs_by_id);
    tp_free(c->names_of_strings.items);
    tp_free(c->measures_of_reasons.items);
    tp_free(c->stack_numbers.items);
    tp_map_fini(&c->numbers_of_stacks);
    tp_free(c->task_longest.items);
    tp_free(c->frames);
    tp_gc_curve_destroy(c->gc.curve);
    TP_SLAB_FINI(&c->gc.gs);
    *c = (struct tp_stitch){0};
}

size_t tp_stitch_bytes(const struct tp_stitch *c)
{
    size_t bytes = tp_totals_bytes(&c->totals) + TP_SLAB_BYTES(&c->gs) +
                   c->logs.words.count * sizeof *c->logs.words.items +
                   c->deferred_waits.count * sizeof *c->deferred_waits.items +
                   c->regions.count * sizeof *c->regions.items +
                   c->task_logs.count * sizeof *c->task_logs.items +
                   c->marks.clocks.count * sizeof *c->marks.clocks.items +
                   c->marks.marks.count * sizeof *c->marks.marks.items;
    for (unsigned i = 0; i < TP_OPEN_KIND_COUNT; i++)
        bytes += TP_SLAB_BYTES(&c->open_intervals[i]);
    return bytes;
}

bool tp_stitch_record(struct tp_stitch *c, enum tp_durations_space space, uint32_t name,
                      uint32_t measure, int64_t ns, bool is_cut)
{
    return tp_totals_known_name(&c->totals, space, &name) &&
           tp_durations_record(&c->totals.durations, space, name, measure, (uint64_t)ns, is_cut);
}

static uint32_t name_in(void *ctx, enum tp_durations_space space, uint32_t string)
{
    struct tp_stitch_step *step = ctx;
    uint32_t name = string;
    bool fits =
        tp_totals_name(&step->c->totals, space, step->s->tables->strings.items[string], &name);
    return fits ? name : TP_DURATIONS_NONE;
}

// Returns the name under which to record now. It may differ from `name`, which was looked up
// earlier: the names that the totals keep may have changed since.
static uint32_t known_name(void *ctx, enum tp_durations_space space, uint32_t name)
{
    struct tp_stitch_step *step = ctx;
    return tp_totals_known_name(&step->c->totals, space, &name) ? name : TP_DURATIONS_NONE;
}

static bool add_quick(struct tp_stitch_step *step)
{
    const struct tp_durations_words words = {known_name, NULL, step};
    bool fits = tp_durations_merge(&step->c->totals.durations, &step->c->quick, &words);
    tp_durations_clear(&step->c->quick);
    return fits;
}

static bool add_totals(struct tp_stitch_step *step)
{
    const struct tp_durations_words words = {name_in, tp_stitch_measure_in, step};
    return tp_durations_merge(&step->c->totals.durations, &step->s->durations, &words) &&
           tp_stitch_add_stacks(step);
}

// Adds the goroutines that begin and end in the partial and ran longest.
static bool add_longest(struct tp_stitch_step *step)
{
    struct tp_totals *totals = &step->c->totals;
    const struct tp_totals_part *from = &step->s->longest;
    tp_totals_others_join(&totals->gs.others, &from->others);
    for (uint32_t i = 0; i < from->items.count; i++) {
        struct tp_top_goroutine g = from->items.items[i];
        g.path = TP_INTERN_NONE;
        g.function = tp_stitch_name(step, g.function);
        if (g.function == TP_INTERN_NONE || !tp_totals_add_g(totals, &g))
            return false;
    }
    return true;
}

// How many of the partial's events for the stitch have been added.
struct added_events {
    uint32_t wakes, unseen;
};

// Adds the events that came before the partial's lists had more than these items.
static bool add_events(struct tp_stitch_step *step, struct added_events *added,
                       uint32_t ended_count, uint32_t short_lived_count)
{
    tp_stitch_add_unseen(step, &added->unseen, ended_count, short_lived_count);
    return tp_stitch_add_wakes(step, &added->wakes, ended_count, short_lived_count);
}

static bool add_gs(struct tp_stitch_step *step)
{
    const struct tp_partial *s = step->s;
    struct added_events added = {0, 0};
    uint32_t brief = 0;
    bool fits = add_longest(step);
    for (uint32_t i = 0; i <= s->ended.count && fits; i++) {
        for (; brief < s->short_lived.count && s->short_lived.items[brief].ended_count == i && fits;
             brief++)
            fits = add_events(step, &added, i, brief) &&
                   tp_stitch_forget_g(step->c, s->short_lived.items[brief].id,
                                      s->short_lived.items[brief].begin_ns);
        fits = fits && add_events(step, &added, i, brief);
        if (i < s->ended.count)
            fits = fits && tp_stitch_add_g(step, &s->ended.items[i]);
    }
    for (uint32_t i = 1; i <= s->gs.count && fits; i++) {
        if (!s->gs.items[i].has_ended)
            fits = tp_stitch_add_g(step, &s->gs.items[i]);
    }
    return fits;
}

static void add_times(struct tp_stitch *c, const struct tp_partial *s)
{
    if (s->event_count == 0)
        return;
    if (!c->has_events)
        c->first_ns = s->first_ns;
    c->has_events = true;
    c->last_ns = s->last_ns;
    if (s->sync_ns >= 0)
        c->sync_ns = s->sync_ns;
    c->totals.event_count += s->event_count;
    // The first string is the empty one.
    if (s->tables != NULL && s->tables->strings.count <= 1)
        c->nameless_count += s->event_count;
}

static void pack_lists(struct tp_totals_pack *pack, struct tp_stitch *c,
                       const struct tp_stitch_g *g)
{
    for (uint32_t at = g->deferred; at != 0; at = c->deferred_waits.items[at].next)
        tp_totals_pack_stack(pack, &c->deferred_waits.items[at].stack);
    for (uint32_t at = g->region; at != 0; at = c->regions.items[at].nest.next)
        tp_totals_pack_name(pack, &c->regions.items[at].name);
}

static void pack_open(struct tp_totals_pack *pack, struct tp_stitch *c, unsigned kind,
                      struct tp_open *open)
{
    tp_totals_pack_name(pack, &open->name);
    if (kind != TP_OPEN_TASK) {
        tp_totals_pack_stack(pack, &open->stack);
        return;
    }
    for (uint32_t at = open->logs; at != 0; at = c->task_logs.items[at].next) {
        tp_totals_pack_name(pack, &c->task_logs.items[at].line.category.name);
        tp_totals_pack_name(pack, &c->task_logs.items[at].line.message.name);
    }
}

// Visits the numbers of the totals that the stitch holds in its other members (stats/pack.h).
static void pack(struct tp_totals_pack *pack, void *ctx)
{
    struct tp_stitch *c = ctx;
    for (uint32_t i = 1; i <= c->gs.count; i++) {
        struct tp_stitch_g *g = &c->gs.items[i];
        if (!g->is_live)
            continue;
        tp_totals_pack_name(pack, &g->name);
        tp_totals_pack_stack(pack, &g->wait_stack);
        tp_totals_pack_stack(pack, &g->creation_stack);
        tp_totals_pack_stack(pack, &g->preempted_stack);
        tp_totals_pack_stack(pack, &g->legs.stack);
        tp_totals_pack_stack(pack, &g->legs.longest.stack);
        pack_lists(pack, c, g);
    }
    for (unsigned kind = 0; kind < TP_OPEN_KIND_COUNT; kind++) {
        struct tp_open_intervals *o = &c->open_intervals[kind];
        for (uint32_t i = 1; i <= o->count; i++) {
            if (o->items[i].is_open)
                pack_open(pack, c, kind, &o->items[i]);
        }
    }
}

struct tp_partial_floor tp_stitch_floor(const struct tp_stitch *c)
{
    struct tp_partial_floor floor = {.longest_ns = tp_top_goroutines_least_ns(&c->totals.gs)};
    for (unsigned i = 0; i < TP_SLOW_KIND_COUNT; i++)
        floor.slow_ns[i] = tp_slowest_least_ns(&c->totals.slow, (enum tp_slow_kind)i);
    return floor;
}

int tp_stitch_add(struct tp_stitch *c, const struct tp_partial *s, struct tp_error *err)
{
    struct tp_stitch_step step = {c, s};
    int rc = tp_stitch_add_gc(&step, err);
    if (rc != 0)
        return rc;
    c->quick.is_quick = true;
    if (tp_totals_is_loose(&c->totals) && !tp_totals_pack(&c->totals, pack, c))
        return tp_fail(err, TP_E_MEMORY, "out of memory for statistics");
    if (!tp_stitch_forget_stacks(&step) || !tp_stitch_forget_names(&step) ||
        !tp_stitch_forget_task_ends(&step) || !tp_stitch_forget_marks(&step) ||
        !add_totals(&step) || !tp_stitch_add_rows(&step) || !tp_stitch_add_evidence(&step) ||
        !tp_stitch_add_preemptions(&step) || !add_gs(&step) || !add_quick(&step) ||
        !tp_stitch_add_tasks(&step) || !tp_stitch_add_opens(&step) ||
        !tp_stitch_add_straddles(&step) || !tp_stitch_add_slow(&step) ||
        (tp_stitch_wants(c, TP_PART_TIMELINE) && !tp_stitch_add_levels(&step)))
        return tp_fail(err, TP_E_MEMORY, "out of memory for statistics");
    if (c->totals.reasons.count > TP_TOTALS_REASONS_MAX)
        return tp_totals_fail_reasons(err);
    add_times(c, s);
    return 0;
}

int tp_stitch_end(struct tp_stitch *c, struct tp_error *err)
{
    if (!tp_stitch_end_opens(c) || !tp_stitch_end_gs(c) ||
        (tp_stitch_wants(c, TP_PART_TIMELINE) && !tp_stitch_end_levels(c)))
        return tp_fail(err, TP_E_MEMORY, "out of memory for statistics");
    c->totals.duration_ns = (uint64_t)(c->last_ns - c->first_ns);
    return tp_stitch_end_gc(c, err);
}
