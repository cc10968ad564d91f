#include "stats/findings/wakes.h"

static enum tp_wake_reason reason_of(const struct tp_totals *s, uint32_t measure)
{
    static const char *const texts[] = {[TP_WAKE_SYNC] = "sync",
                                        [TP_WAKE_SEND] = "chan send",
                                        [TP_WAKE_RECEIVE] = "chan receive",
                                        [TP_WAKE_SELECT] = "select"};
    unsigned reason = 0;
    struct tp_span text = tp_intern_text(&s->reasons, measure - TP_MEASURE_FIRST_BLOCK);
    while (reason < TP_WAKE_OTHER && !tp_span_is(text, texts[reason]))
        reason++;
    return (enum tp_wake_reason)reason;
}

// Moves to the next waits of the group. False: there are no more.
static bool next_in_group(struct tp_wakes *w)
{
    while (w->is_in_group && tp_durations_walk_next(&w->walk)) {
        if (w->walk.measure >= TP_MEASURE_FIRST_BLOCK)
            return true;
    }
    w->is_in_group = false;
    return false;
}

bool tp_wakes_next(struct tp_wakes *w, struct tp_wake *ret_wake)
{
    const struct tp_durations *l = &w->s->durations;
    while (!next_in_group(w)) {
        if (w->next_group >= l->groups.count)
            return false;
        const struct tp_durations_group *g = &l->groups.items[w->next_group++];
        w->is_in_group = g->space == TP_SPACE_WAKE && g->name != TP_TOTALS_OTHERS;
        w->walk = (struct tp_durations_walk){.group = g};
    }
    const struct tp_durations_group *g = w->walk.group;
    const struct tp_dist *blamed = g->dists[TP_WAKE_BLAMED];
    *ret_wake = (struct tp_wake){&w->s->pairs.of.items[g->name], reason_of(w->s, w->walk.measure),
                                 w->walk.dist, blamed != NULL ? blamed->total_ns : 0};
    if (ret_wake->blamed_ns > ret_wake->blocked->total_ns)
        ret_wake->blamed_ns = ret_wake->blocked->total_ns;
    return true;
}
