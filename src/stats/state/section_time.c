// Section of a state: levels over time, and the gauges that the runtime reports.
#include "stats/state/section.h"

// Limit of the width of buckets, 2^62 ns, which is more than the length of any trace.
#define SHIFT_MAX 62

static void put_time(struct tp_state_writer *w)
{
    const struct tp_timeline *t = &w->totals->timeline;
    if (tp_timeline_is_empty(t))
        return;
    for (unsigned i = 0; i < TP_GAUGE_COUNT; i++) {
        tp_state_put(w, t->gauges[i].count);
        tp_state_put(w, t->gauges[i].change_count);
        tp_state_put(w, t->gauges[i].least);
        tp_state_put(w, t->gauges[i].greatest);
    }
    if (t->buckets.count > 0)
        tp_state_put(w, t->shift);
    for (uint32_t i = 0; i < t->buckets.count; i++) {
        for (unsigned k = 0; k < TP_LEVEL_COUNT; k++) {
            tp_state_put(w, (uint64_t)t->buckets.items[i].totals[k]);
            tp_state_put(w, (uint64_t)(t->buckets.items[i].totals[k] >> 64));
        }
    }
}

static void get_gauge(struct tp_state_reader *r, struct tp_gauge *g)
{
    g->count = tp_state_get(r);
    g->change_count = tp_state_get(r);
    g->least = tp_state_get(r);
    g->greatest = tp_state_get(r);
    bool is_nothing = (g->change_count | g->least | g->greatest) == 0;
    if (g->count == 0 ? !is_nothing : g->change_count >= g->count || g->least > g->greatest)
        tp_state_refuse(r, "figures of a number that cannot be");
}

static void get_bucket(struct tp_state_reader *r, struct tp_timeline *t)
{
    struct tp_timeline_bucket b;
    for (unsigned k = 0; k < TP_LEVEL_COUNT; k++) {
        uint64_t low = tp_state_get(r);
        b.totals[k] = (unsigned __int128)tp_state_get(r) << 64 | low;
    }
    if (t->buckets.count == TP_LEVELS_BUCKETS)
        tp_state_refuse(r, "more buckets of time than there can be");
    if (r->code == 0 && !TP_LIST_ADD(&t->buckets, b))
        tp_state_lack_memory(r);
}

static void get_time(struct tp_state_reader *r)
{
    struct tp_timeline *t = &r->totals->timeline;
    for (unsigned i = 0; i < TP_GAUGE_COUNT; i++)
        get_gauge(r, &t->gauges[i]);
    if (!tp_state_has_more(r))
        return;
    t->shift = tp_state_get_below(r, SHIFT_MAX + 1, "width of buckets");
    if (t->shift < TP_LEVELS_SHIFT_MIN)
        tp_state_refuse(r, "buckets of time narrower than any are");
    while (tp_state_has_more(r))
        get_bucket(r, t);
    if (t->buckets.count > 0 && t->buckets.count - 1 > UINT64_MAX >> t->shift)
        tp_state_refuse(r, "more buckets of time than time has");
}

const struct tp_section tp_section_time = {.put = put_time, .get = get_time};
