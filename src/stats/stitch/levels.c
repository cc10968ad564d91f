// Joins the levels of partials, and computes the timeline from the levels.
#include "stats/stitch/stitch.h"

static bool step(struct tp_levels *l, enum tp_level level, int64_t time_ns, bool is_up)
{
    unsigned __int128 one = 1;
    return level == TP_LEVEL_NONE || tp_levels_add(l, level, time_ns, is_up ? one : 0 - one);
}

bool tp_stitch_move(struct tp_stitch *c, enum tp_level down, enum tp_level up, int64_t time_ns)
{
    return !tp_stitch_wants(c, TP_PART_TIMELINE) ||
           (step(&c->levels, down, time_ns, false) && step(&c->levels, up, time_ns, true));
}

// PS

// Adds the level of a new P for the time before its first change. A P that a status event announces
// has been in that state since the last Sync.
static bool add_before(struct tp_stitch *c, const struct tp_partial_proc *p)
{
    int64_t sync_ns = c->sync_ns >= 0 ? c->sync_ns : p->first_ns;
    int64_t begin_ns = p->before_ns >= 0 ? p->first_ns - p->before_ns : sync_ns;
    enum tp_level level = tp_level_of_proc(p->first_to);
    return tp_stitch_move(c, TP_LEVEL_NONE, level, begin_ns) &&
           tp_stitch_move(c, level, TP_LEVEL_NONE, p->first_ns);
}

// Adds the changes of a P. Ps do not end, so a new status event is a change of state.
static bool add_proc(struct tp_stitch *c, const struct tp_partial_proc *p)
{
    uint32_t known = tp_map_get(&c->procs_by_id, (uint64_t)p->id);
    unsigned state = known != TP_MAP_NONE ? known - 1 : TP_STATE_UNDETERMINED;
    if (known == TP_MAP_NONE && p->first_from == TP_STATE_UNDETERMINED && !add_before(c, p))
        return false;
    // The partial assumed that the P was in first_from.
    if (!tp_stitch_move(c, tp_level_of_proc(state), tp_level_of_proc(p->first_from), p->first_ns))
        return false;
    tp_map_remove(&c->procs_by_id, (uint64_t)p->id);
    return tp_map_put(&c->procs_by_id, (uint64_t)p->id, p->state + 1u);
}

// GAUGES

static bool add_gauge(struct tp_stitch *c, enum tp_gauge_kind kind,
                      const struct tp_partial_gauge *from)
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

bool tp_stitch_add_levels(struct tp_stitch_step *step)
{
    struct tp_stitch *c = step->c;
    const struct tp_partial *s = step->s;
    bool fits = tp_levels_merge(&c->levels, &s->levels);
    if (!c->has_events && s->event_count > 0)
        fits = fits && tp_levels_add(&c->levels, TP_LEVEL_COVERED, s->first_ns, 1);
    for (uint32_t i = 1; i <= s->procs.count && fits; i++)
        fits = add_proc(c, &s->procs.items[i]);
    for (unsigned i = 0; i < TP_GAUGE_COUNT && fits; i++)
        fits = add_gauge(c, (enum tp_gauge_kind)i, &s->gauges[i]);
    return fits;
}

bool tp_stitch_end_levels(struct tp_stitch *c)
{
    return !c->has_events || (tp_levels_end(&c->levels, c->last_ns) &&
                              tp_timeline_make(&c->totals.timeline, &c->levels));
}
