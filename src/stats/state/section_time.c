// Sections of a state: levels over time, with the gauges that the runtime reports, and levels by the
// wall clock.
#include "stats/state/section.h"

// Limit of the width of buckets, 2^62 ns, which is more than the length of any trace.
#define SHIFT_MAX 62

static void put_bucket(struct tp_state_writer *w, const struct tp_timeline_bucket *b)
{
    for (unsigned k = 0; k < TP_LEVEL_COUNT; k++) {
        tp_state_put(w, (uint64_t)b->totals[k]);
        tp_state_put(w, (uint64_t)(b->totals[k] >> 64));
    }
}

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
    for (uint32_t i = 0; i < t->buckets.count; i++)
        put_bucket(w, &t->buckets.items[i]);
}

static void get_gauge(struct tp_state_reader *r, struct tp_gauge *g)
{
    g->count = tp_state_get(r);
    g->change_count = tp_state_get(r);
    g->least = tp_state_get(r);
    g->greatest = tp_state_get(r);
    bool is_nothing = (g->change_count | g->least | g->greatest) == 0;
    if (g->count == 0 ? !is_nothing : g->change_count >= g->count || g->least > g->greatest)
        tp_state_refuse(r, "impossible figures of a gauge");
}

static struct tp_timeline_bucket get_bucket(struct tp_state_reader *r)
{
    struct tp_timeline_bucket b;
    for (unsigned k = 0; k < TP_LEVEL_COUNT; k++) {
        uint64_t low = tp_state_get(r);
        b.totals[k] = (unsigned __int128)tp_state_get(r) << 64 | low;
    }
    return b;
}

static unsigned get_shift(struct tp_state_reader *r)
{
    unsigned shift = tp_state_get_below(r, SHIFT_MAX + 1, "width of buckets");
    if (shift < TP_LEVELS_SHIFT_MIN)
        tp_state_refuse(r, "buckets of time narrower than the minimum");
    return shift;
}

// Reads the buckets that are left in the section to a list of them.
static void get_buckets(struct tp_state_reader *r, struct tp_list *list)
{
    while (tp_state_has_more(r)) {
        const struct tp_timeline_bucket b = get_bucket(r);
        if (list->count == TP_LEVELS_BUCKETS)
            tp_state_refuse(r, "more buckets of time than the limit");
        else if (list->count == list->capacity && !tp_list_grow(list, 1, sizeof b))
            tp_state_lack_memory(r);
        else
            ((struct tp_timeline_bucket *)list->items)[list->count++] = b;
    }
}

static void get_time(struct tp_state_reader *r)
{
    struct tp_timeline *t = &r->totals->timeline;
    for (unsigned i = 0; i < TP_GAUGE_COUNT; i++)
        get_gauge(r, &t->gauges[i]);
    if (!tp_state_has_more(r))
        return;
    t->shift = get_shift(r);
    get_buckets(r, &t->buckets.as_list);
    if (t->buckets.count > 0 && t->buckets.count - 1 > UINT64_MAX >> t->shift)
        tp_state_refuse(r, "buckets beyond the range of time");
}

const struct tp_section tp_section_time = {.put = put_time, .get = get_time};

// BY THE WALL CLOCK

static void put_wall_time(struct tp_state_writer *w)
{
    const struct tp_wall_timeline *t = &w->totals->wall_timeline;
    if (t->file_count == 0)
        return;
    tp_state_put(w, t->file_count);
    tp_state_put(w, (uint64_t)t->first);
    tp_state_put(w, t->shift);
    for (uint32_t i = 0; i < t->buckets.count; i++)
        put_bucket(w, &t->buckets.items[i]);
}

static void get_wall_time(struct tp_state_reader *r)
{
    struct tp_wall_timeline *t = &r->totals->wall_timeline;
    t->file_count = tp_state_get(r);
    t->first = (int64_t)tp_state_get(r);
    t->shift = get_shift(r);
    get_buckets(r, &t->buckets.as_list);
    if (t->file_count == 0 || t->file_count > r->totals->file_count)
        tp_state_refuse(r, "wall-clock traces that do not match the traces");
    int64_t end = INT64_MAX >> t->shift;
    if (t->buckets.count == 0 || t->first < -end - 1 || t->first > end - (t->buckets.count - 1))
        tp_state_refuse(r, "wall-clock buckets outside the range of time");
}

const struct tp_section tp_section_wall_time = {.put = put_wall_time, .get = get_wall_time};
