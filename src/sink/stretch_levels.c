// Levels of a stretch other than those of goroutines: Ps in use, and what the runtime tells
// as numbers.
#include "base/alloc.h"
#include "merge/event_shape.h"
#include "sink/stretch.h"

void tp_stretch_clear_levels(struct tp_stretch *s)
{
    tp_levels_clear(&s->levels);
    tp_map_clear(&s->procs_by_id);
    s->procs.count = 0;
    for (unsigned i = 0; i < TP_GAUGE_COUNT; i++)
        s->gauges[i] = (struct tp_stretch_gauge){0};
}

void tp_stretch_fini_levels(struct tp_stretch *s)
{
    tp_levels_fini(&s->levels);
    tp_map_fini(&s->procs_by_id);
    tp_free(s->procs.items);
    s->procs.items = NULL;
    s->procs.capacity = 0;
}

size_t tp_stretch_levels_bytes(const struct tp_stretch *s)
{
    return tp_levels_bytes(&s->levels) +
           s->procs.count * (sizeof *s->procs.items + sizeof(struct tp_map_entry));
}

// PS

static enum tp_level level_of(enum tp_state state)
{
    return state == TP_STATE_RUNNING ? TP_LEVEL_PROCS : TP_LEVEL_NONE;
}

static struct tp_stretch_proc *add_proc(struct tp_stretch *s, int64_t id)
{
    if (!TP_LIST_ROOM(&s->procs) ||
        !tp_map_put(&s->procs_by_id, (uint64_t)id, s->procs.count))
        return NULL;
    return &s->procs.items[s->procs.count++];
}

bool tp_stretch_proc(struct tp_stretch *s, const struct tp_event *e)
{
    enum tp_state from = tp_event_state_from(e), to = tp_event_state_to(e);
    if (from == to)
        return true;
    int64_t id = tp_event_resource_id(e, &tp_event_shapes[e->type]);
    uint32_t slot = tp_map_get(&s->procs_by_id, (uint64_t)id);
    if (tp_likely(slot != TP_MAP_NONE)) {
        struct tp_stretch_proc *p = &s->procs.items[slot];
        from = (enum tp_state)p->state;
        p->state = (uint8_t)to;
    } else {
        struct tp_stretch_proc *p = add_proc(s, id);
        if (p == NULL)
            return false;
        *p = (struct tp_stretch_proc){
            .id = id,
            .head_ns = e->time_ns,
            .lead_ns = s->sync_ns >= 0 ? e->time_ns - s->sync_ns : -1,
            .head_from = (uint8_t)from,
            .head_to = (uint8_t)to,
            .state = (uint8_t)to,
        };
    }
    tp_levels_move(&s->levels, level_of(from), level_of(to), e->time_ns);
    return true;
}

// GAUGES

static enum tp_gauge_kind gauge_of(uint8_t type)
{
    switch (type) {
#define TP_X(gauge, wire, key) \
    case wire: return TP_GAUGE_##gauge;
        TP_GAUGES(TP_X)
#undef TP_X
    default: return TP_GAUGE_COUNT;
    }
}

bool tp_stretch_gauge(struct tp_stretch *s, const struct tp_event *e)
{
    enum tp_gauge_kind kind = gauge_of(e->type);
    if (kind == TP_GAUGE_COUNT)
        return true;
    struct tp_stretch_gauge *g = &s->gauges[kind];
    uint64_t value = e->args[0], before = g->last;
    bool is_first = g->told.count == 0, is_change = !is_first && value != before;
    tp_gauge_add(&g->told, &(struct tp_gauge){1, is_change, value, value});
    g->last = value;
    if (is_first) {
        g->head = value;
        g->head_ns = e->time_ns;
    }
    return !is_change || tp_levels_add(&s->levels, tp_gauge_levels[kind].level, e->time_ns,
                                       (unsigned __int128)value - before);
}
