#include "stats/findings/wakes.h"

#include "base/alloc.h"
#include "stats/evidence.h"

bool tp_wakes_init(struct tp_wakes *w, const struct tp_totals *s)
{
    *w = (struct tp_wakes){.s = s};
    w->blamed_ns = tp_alloc_zero(((size_t)s->pairs.of.count + 1) * sizeof *w->blamed_ns);
    if (w->blamed_ns == NULL)
        return false;
    for (uint32_t i = 0; i < s->durations.groups.count; i++) {
        const struct tp_durations_group *g = &s->durations.groups.items[i];
        if (g->space == TP_SPACE_EVIDENCE && g->name != TP_TOTALS_OTHERS &&
            g->dist_count > TP_EVIDENCE_BLAMED && g->dists[TP_EVIDENCE_BLAMED] != NULL)
            w->blamed_ns[g->name] = g->dists[TP_EVIDENCE_BLAMED]->total_ns;
    }
    return true;
}

static enum tp_wake_reason reason_of(const struct tp_totals *s, uint32_t measure)
{
    static const char *const texts[] = {[TP_WAKE_SYNC] = "sync",
                                        [TP_WAKE_SEND] = "chan send",
                                        [TP_WAKE_RECEIVE] = "chan receive",
                                        [TP_WAKE_SELECT] = "select"};
    unsigned reason = 0;
    if (measure < TP_MEASURE_FIRST_BLOCK)
        return TP_WAKE_OTHER;
    struct tp_span text = tp_intern_text(&s->reasons, measure - TP_MEASURE_FIRST_BLOCK);
    while (reason < TP_WAKE_OTHER && !tp_span_is(text, texts[reason]))
        reason++;
    return (enum tp_wake_reason)reason;
}

bool tp_wakes_next(struct tp_wakes *w, struct tp_wake *ret_wake)
{
    const struct tp_durations *l = &w->s->durations;
    for (;;) {
        if (w->is_in_group && tp_durations_walk_next(&w->walk))
            break;
        w->is_in_group = false;
        if (w->next_group >= l->groups.count)
            return false;
        const struct tp_durations_group *g = &l->groups.items[w->next_group++];
        w->is_in_group = g->space == TP_SPACE_WAKE && g->name != TP_TOTALS_OTHERS;
        w->walk = (struct tp_durations_walk){.group = g};
    }
    uint32_t pair = w->walk.group->name;
    *ret_wake = (struct tp_wake){&w->s->pairs.of.items[pair], reason_of(w->s, w->walk.measure),
                                 w->walk.dist, w->blamed_ns[pair]};
    if (ret_wake->blamed_ns > ret_wake->blocked->total_ns)
        ret_wake->blamed_ns = ret_wake->blocked->total_ns;
    return true;
}

void tp_wakes_fini(struct tp_wakes *w)
{
    tp_free(w->blamed_ns);
    w->blamed_ns = NULL;
}
