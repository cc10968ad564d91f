// Joins the levels of sums, and computes the timeline from the levels.
#include "stats/input/input.h"

static bool add_gauge(struct tp_stats_input *c, enum tp_gauge_kind kind,
                      const struct tp_sums_gauge *from)
{
    struct tp_gauge *told = &c->totals.timeline.gauges[kind];
    const struct tp_gauge_level *levels = &tp_gauge_levels[kind];
    if (from->told.count == 0)
        return true;
    bool is_first = told->count == 0;
    uint64_t before = is_first ? 0 : c->gauges[kind];
    told->change_count += !is_first && from->head != before;
    tp_gauge_add(told, &from->told);
    c->gauges[kind] = from->last;
    return (!is_first || tp_levels_add(&c->levels, levels->known, from->first_ns, 1)) &&
           tp_levels_add(&c->levels, levels->level, from->first_ns,
                         (unsigned __int128)from->head - before);
}

bool tp_stats_add_levels(struct tp_stats_step *step)
{
    struct tp_stats_input *c = step->c;
    const struct tp_sums *s = step->s;
    bool fits = tp_levels_merge(&c->levels, &s->levels);
    if (!c->has_events && s->event_count > 0)
        fits = fits && tp_levels_add(&c->levels, TP_LEVEL_COVERED, s->first_ns, 1);
    for (unsigned i = 0; i < TP_GAUGE_COUNT && fits; i++)
        fits = add_gauge(c, (enum tp_gauge_kind)i, &s->gauges[i]);
    return fits;
}

bool tp_stats_end_levels(struct tp_stats_input *c)
{
    return !c->has_events || (tp_levels_end(&c->levels, c->last_ns) &&
                              tp_timeline_make(&c->totals.timeline, &c->levels));
}
