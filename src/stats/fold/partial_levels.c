// Changes the levels of a partial, except those of goroutines: Ps in use, and the numbers that the
// runtime reports (gauges).
#include "merge/tables/event_shape.h"
#include "stats/fold/partial.h"

// PS

bool tp_partial_proc(struct tp_partial *s, const struct tp_event *e)
{
    enum tp_state from = tp_event_state_from(e), to = tp_event_state_to(e);
    if (from == to)
        return true;
    int64_t id = tp_event_resource_id(e, &tp_event_shapes[e->type]);
    struct tp_partial_proc *p = TP_SLAB_GET(&s->procs, id);
    if (tp_likely(p != NULL)) {
        from = (enum tp_state)p->state;
        p->state = (uint8_t)to;
    } else {
        uint32_t slot = TP_SLAB_ADD(&s->procs, id);
        if (slot == 0)
            return false;
        s->procs.items[slot] = (struct tp_partial_proc){
            .id = id,
            .first_ns = e->time_ns,
            .before_ns = s->sync_ns >= 0 ? e->time_ns - s->sync_ns : -1,
            .first_from = (uint8_t)from,
            .first_to = (uint8_t)to,
            .state = (uint8_t)to,
        };
    }
    tp_levels_move(&s->levels, tp_level_of_proc(from), tp_level_of_proc(to), e->time_ns);
    return true;
}

// GAUGES

static TP_NOINLINE void begin_gauge(struct tp_partial *s, enum tp_gauge_kind kind,
                                    const struct tp_event *e)
{
    uint64_t value = tp_arg(e, Metric, value);
    s->gauges[kind] = (struct tp_partial_gauge){
        .told = {.count = 1, .least = value, .greatest = value},
        .first_ns = e->time_ns,
        .head = value,
        .last = value,
    };
    tp_levels_set_first(&s->levels, tp_gauge_levels[kind].level, value);
}

// Inlined once for each gauge: in programs that allocate, most events are of these types.
TP_INLINE void add_gauge(struct tp_partial *s, enum tp_gauge_kind kind, enum tp_level level,
                         const struct tp_event *e)
{
    struct tp_partial_gauge *g = &s->gauges[kind];
    const uint64_t value = tp_arg(e, Metric, value);
    if (tp_unlikely(g->told.count == 0)) {
        begin_gauge(s, kind, e);
        return;
    }
    g->told.count++;
    g->told.change_count += value != g->last;
    g->told.least = value < g->told.least ? value : g->told.least;
    g->told.greatest = value > g->told.greatest ? value : g->told.greatest;
    g->last = value;
    tp_levels_set(&s->levels, level, e->time_ns, value);
}

TP_NOINLINE void tp_partial_gauge(struct tp_partial *s, const struct tp_event *e)
{
    switch (e->type) {
#define TP_X(gauge, wire, key) \
    case wire: add_gauge(s, TP_GAUGE_##gauge, TP_LEVEL_##gauge, e); return;
        TP_GAUGES(TP_X)
#undef TP_X
    default: return;
    }
}
