#include "stats/fold/stitch.h"

#include "base/alloc.h"
#include "stats/pack.h"

void tp_carry_fini(struct tp_carry *c)
{
    tp_sums_fini(&c->sums);
    tp_map_fini(&c->gs_by_id);
    tp_free(c->gs.items);
    tp_span_logs_fini(&c->logs);
    tp_ledger_fini(&c->quick);
    tp_free(c->late_waits.waits.items);
    tp_free(c->regions.items);
    for (unsigned i = 0; i < TP_OPEN_KIND_COUNT; i++)
        tp_opens_fini(&c->opens[i]);
    tp_levels_fini(&c->levels);
    tp_map_fini(&c->procs_by_id);
    tp_free(c->names_of_strings.items);
    tp_free(c->measures_of_reasons.items);
    tp_free(c->stack_numbers);
    tp_map_fini(&c->numbers_of_stacks);
    tp_free(c->frames);
    tp_carry_gc_fini(&c->gc);
    *c = (struct tp_carry){0};
}

bool tp_carry_book(struct tp_carry *c, enum tp_ledger_space space, uint32_t name,
                   uint32_t measure, int64_t ns, bool is_cut)
{
    return tp_sums_known_name(&c->sums, space, &name) &&
           tp_ledger_book(&c->sums.ledger, space, name, measure, (uint64_t)ns, is_cut);
}

static uint32_t name_in(void *ctx, enum tp_ledger_space space, uint32_t string)
{
    struct tp_carry_step *step = ctx;
    uint32_t name;
    bool fits = tp_sums_name(&step->c->sums, space, step->s->tables->strings[string], &name);
    return fits ? name : TP_LEDGER_NONE;
}

// Which names are kept may have changed since they were asked for.
static uint32_t known_name(void *ctx, enum tp_ledger_space space, uint32_t name)
{
    struct tp_carry_step *step = ctx;
    return tp_sums_known_name(&step->c->sums, space, &name) ? name : TP_LEDGER_NONE;
}

static bool add_quick(struct tp_carry_step *step)
{
    const struct tp_ledger_words words = {known_name, NULL, step};
    bool fits = tp_ledger_merge(&step->c->sums.ledger, &step->c->quick, &words);
    tp_ledger_clear(&step->c->quick);
    return fits;
}

static bool add_sums(struct tp_carry_step *step)
{
    const struct tp_ledger_words words = {name_in, tp_carry_measure_in, step};
    return tp_ledger_merge(&step->c->sums.ledger, &step->s->ledger, &words) &&
           tp_carry_add_stacks(step);
}

// Those that ran longest of the ones that begin and end in the stretch.
static bool add_longest(struct tp_carry_step *step)
{
    struct tp_sums *sums = &step->c->sums;
    const struct tp_sum_part *from = &step->s->longest;
    tp_sum_others_join(&sums->gs.others, &from->others);
    for (uint32_t i = 0; i < from->items.count; i++) {
        struct tp_sum_g g = from->items.items[i];
        g.path = TP_INTERN_NONE;
        g.function = tp_carry_name(step, g.function);
        if (g.function == TP_INTERN_NONE || !tp_sums_add_g(sums, &g))
            return false;
    }
    return true;
}

static bool add_gs(struct tp_carry_step *step)
{
    const struct tp_stretch *s = step->s;
    uint32_t brief = 0;
    bool fits = add_longest(step);
    for (uint32_t i = 0; i <= s->gone.count && fits; i++) {
        for (; brief < s->briefs.count && s->briefs.items[brief].gone_count == i && fits; brief++)
            fits = tp_carry_forget_g(step->c, s->briefs.items[brief].id,
                                     s->briefs.items[brief].begin_ns);
        if (i < s->gone.count)
            fits = fits && tp_carry_add_g(step, &s->gone.items[i]);
    }
    for (uint32_t i = 0; i < s->gs.count && fits; i++) {
        if (!s->gs.items[i].has_ended)
            fits = tp_carry_add_g(step, &s->gs.items[i]);
    }
    return fits;
}

static void add_times(struct tp_carry *c, const struct tp_stretch *s)
{
    if (s->event_count == 0)
        return;
    if (!c->has_events)
        c->first_ns = s->first_ns;
    c->has_events = true;
    c->last_ns = s->last_ns;
    if (s->sync_ns >= 0)
        c->sync_ns = s->sync_ns;
    c->sums.event_count += s->event_count;
}

static void pack_lists(struct tp_sums_pack *pack, struct tp_carry *c, const struct tp_carry_g *g)
{
    for (uint32_t at = g->late_plus_1; at != 0; at = c->late_waits.waits.items[at - 1].next_plus_1)
        tp_sums_pack_stack(pack, &c->late_waits.waits.items[at - 1].stack);
    for (uint32_t at = g->region_plus_1; at != 0; at = c->regions.items[at - 1].next_plus_1)
        tp_sums_pack_name(pack, &c->regions.items[at - 1].name);
}

// What has numbers of the sums beside them.
static void pack(struct tp_sums_pack *pack, void *ctx)
{
    struct tp_carry *c = ctx;
    for (uint32_t i = 0; i < c->gs.count; i++) {
        struct tp_carry_g *g = &c->gs.items[i];
        if (!g->is_live)
            continue;
        tp_sums_pack_name(pack, &g->name);
        tp_sums_pack_stack(pack, &g->wait_stack);
        pack_lists(pack, c, g);
    }
    for (unsigned kind = 0; kind < TP_OPEN_KIND_COUNT; kind++) {
        for (uint32_t i = 0; i < c->opens[kind].count; i++)
            tp_sums_pack_name(pack, &c->opens[kind].items[i].name);
    }
}

int tp_carry_add(struct tp_carry *c, const struct tp_stretch *s, struct tp_error *err)
{
    struct tp_carry_step step = {c, s};
    int rc = tp_carry_add_gc(&step, err);
    if (rc != 0)
        return rc;
    c->quick.is_quick = true;
    if (tp_sums_is_loose(&c->sums) && !tp_sums_pack(&c->sums, pack, c))
        return tp_fail(err, TP_E_MEMORY, "out of memory for statistics");
    if (!tp_carry_forget_stacks(&step) || !tp_carry_forget_names(&step) ||
        !tp_carry_forget_measures(&step) || !add_sums(&step) || !add_gs(&step) || !add_quick(&step) ||
        !tp_carry_add_opens(&step) || !tp_carry_add_levels(&step))
        return tp_fail(err, TP_E_MEMORY, "out of memory for statistics");
    add_times(c, s);
    return 0;
}

int tp_carry_end(struct tp_carry *c, struct tp_error *err)
{
    if (!tp_carry_end_opens(c) || !tp_carry_end_gs(c) || !tp_carry_end_levels(c))
        return tp_fail(err, TP_E_MEMORY, "out of memory for statistics");
    c->sums.duration_ns = (uint64_t)(c->last_ns - c->first_ns);
    return tp_carry_end_gc(c, err);
}
