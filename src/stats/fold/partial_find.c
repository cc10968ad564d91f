#include "stats/fold/partial_find.h"

// The record of a goroutine of which nothing is known.
static const struct tp_partial_g unseen_g = {
    .before_ns = -1,
    .measure = TP_MEASURE_NONE,
    .group = TP_DURATIONS_NONE,
    .name = TP_STRING_EMPTY,
    .name_rank = TP_NAME_UNKNOWN,
    .first_measure = TP_MEASURE_NONE,
    .state = TP_STATE_UNSEEN,
    .first_from = TP_STATE_UNSEEN,
    .gc_role = TP_GC_ROLE_ANY,
    .clock = TP_CLOCK_WANTED,
    .left = {{TP_NEVER_NS, TP_NEVER_NS}, TP_NEVER_NS},
    .stop_ns = TP_NEVER_NS,
    .first_stop_ns = TP_NEVER_NS,
    .first_stack = TP_NO_STACK,
    .legs = TP_LEGS_BEFORE,
};

TP_NOINLINE struct tp_partial_g *tp_partial_seek_g(struct tp_partial *s, int64_t id)
{
    uint32_t slot = tp_map_get(&s->gs.by_id, (uint64_t)id);
    if (slot == TP_MAP_NONE)
        return NULL;
    *tp_partial_recent_of(s, id) = (struct tp_partial_recent){id, slot};
    return &s->gs.items[slot];
}

struct tp_partial_g *tp_partial_add_g(struct tp_partial *s, int64_t id)
{
    uint32_t slot = TP_SLAB_ADD(&s->gs, id);
    if (slot == 0)
        return NULL;
    struct tp_partial_g *g = &s->gs.items[slot];
    *g = unseen_g;
    g->id = id;
    g->is_watched = s->preemption_stack == TP_PREEMPTION_LACKS_RUNNER;
    *tp_partial_recent_of(s, id) = (struct tp_partial_recent){id, slot};
    return g;
}

void tp_partial_remove_g(struct tp_partial *s, struct tp_partial_g *g)
{
    g->has_ended = true;
    struct tp_partial_recent *recent = tp_partial_recent_of(s, g->id);
    if (recent->id == g->id)
        recent->id ^= 1; // belongs to another item
    TP_SLAB_REMOVE(&s->gs, g->id);
}
