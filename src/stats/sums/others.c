// Adds metrics, CPU samples, log messages, and changes of levels that no span shows.
#include "merge/tables/event_shape.h"
#include "stats/sums/sums.h"

// LEVELS

bool tp_sums_add_moves(struct tp_sums *s, const struct tp_facts *f)
{
    bool fits = true;
    for (uint32_t i = 0; i < f->moves.count && fits && tp_sums_wants(s, TP_PART_TIMELINE); i++) {
        const struct tp_track_move *m = &f->moves.items[i];
        enum tp_level down = tp_level_of_state(m->from), up = tp_level_of_state(m->to);
        if (m->is_proc) {
            down = m->from == TP_STATE_RUNNING ? TP_LEVEL_PROCS : TP_LEVEL_NONE;
            up = m->to == TP_STATE_RUNNING ? TP_LEVEL_PROCS : TP_LEVEL_NONE;
        }
        fits = tp_sums_move(s, down, up, m->time_ns);
        if (i % (TP_LEVEL_STEPS_MAX / 8) == TP_LEVEL_STEPS_MAX / 8 - 1)
            tp_levels_flush(&s->levels);
    }
    return fits;
}

// GAUGES

static TP_NOINLINE void begin_gauge(struct tp_sums *s, enum tp_gauge_kind kind,
                                    const struct tp_event *e)
{
    uint64_t value = tp_arg(e, Metric, value);
    s->gauges[kind] = (struct tp_sums_gauge){
        .told = {.count = 1, .least = value, .greatest = value},
        .first_ns = e->time_ns,
        .head = value,
        .last = value,
    };
    tp_levels_set_first(&s->levels, tp_gauge_levels[kind].level, value);
}

// Inlined for each gauge, because most events of programs that allocate are reports of gauges.
TP_INLINE bool add_gauge(struct tp_sums *s, enum tp_gauge_kind kind, enum tp_level level,
                         const struct tp_event *e)
{
    struct tp_sums_gauge *g = &s->gauges[kind];
    const uint64_t value = tp_arg(e, Metric, value);
    if (tp_unlikely(!tp_levels_is_in_window(&s->levels, e->time_ns)) &&
        !tp_levels_turn(&s->levels, e->time_ns))
        return false;
    if (tp_unlikely(g->told.count == 0)) {
        begin_gauge(s, kind, e);
        return true;
    }
    g->told.count++;
    g->told.change_count += value != g->last;
    g->told.least = value < g->told.least ? value : g->told.least;
    g->told.greatest = value > g->told.greatest ? value : g->told.greatest;
    g->last = value;
    tp_levels_set(&s->levels, level, e->time_ns, value);
    return true;
}

// LOGS AND SAMPLES

static bool add_log(struct tp_sums *s, const struct tp_event *e)
{
    uint32_t category =
        tp_string_or_empty(tp_tables_string_idx(s->tables, tp_arg(e, UserLog, key_string)));
    struct tp_dist *d = tp_durations_dist_again(&s->durations, TP_SPACE_LOG, category);
    if (tp_unlikely(d == NULL))
        return tp_durations_record_sum(&s->durations, TP_SPACE_LOG, category, 0, 1, 0);
    d->count++;
    return true;
}

static bool add_sample(struct tp_sums *s, const struct tp_event *e)
{
    uint64_t id = tp_arg(e, CPUSample, stack);
    tp_sums_samples_join(&s->samples, &(struct tp_sums_samples){1, e->time_ns, e->time_ns});
    uint32_t idx = id != 0 ? tp_idmap_get(&s->tables->stack_ids, id) : TP_IDMAP_NONE;
    return tp_sums_add_wait(s, idx != TP_IDMAP_NONE ? idx + 1 : 0, TP_STACK_CPU, 0, TP_NO_MOMENT);
}

static TP_NOINLINE bool add_other(struct tp_sums *s, const struct tp_event *e)
{
    switch (e->type) {
#define TP_X(gauge, wire, key) \
    case wire:                 \
        return !tp_sums_wants(s, TP_PART_TIMELINE) || add_gauge(s, TP_GAUGE_##gauge, TP_LEVEL_##gauge, e);
        TP_GAUGES(TP_X)
#undef TP_X
    case TP_EV_UserLog: return !tp_sums_wants(s, TP_PART_INTERVALS) || add_log(s, e);
    case TP_EV_CPUSample: return !tp_sums_wants(s, TP_PART_STACKS) || add_sample(s, e);
    default: return true;
    }
}

bool tp_sums_add_others(struct tp_sums *s, const struct tp_block *block)
{
    const struct tp_facts *f = block->facts;
    bool fits = true;
    for (uint32_t i = 0; i < f->others.count && fits; i++) {
        const struct tp_event *e = &block->events[f->others.items[i]];
        if (tp_likely(e->type == TP_EV_HeapAlloc) && tp_sums_wants(s, TP_PART_TIMELINE))
            fits = add_gauge(s, TP_GAUGE_HEAP, TP_LEVEL_HEAP, e);
        else
            fits = add_other(s, e);
    }
    return fits;
}
