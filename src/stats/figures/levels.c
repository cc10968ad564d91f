#include "stats/figures/levels.h"

void tp_levels_clear(struct tp_levels *l)
{
    *l = (struct tp_levels){.buckets = l->buckets};
    l->buckets.count = 0;
}

// Adds the steps of bucket `from` to bucket `into`. The time of `from` lies within that of `into`,
// and ends `behind_ns` before the end of `into`.
static void join(struct tp_level_bucket *into, const struct tp_level_bucket *from,
                 uint64_t behind_ns)
{
    for (unsigned i = 0; i < TP_LEVEL_COUNT; i++) {
        into->delta[i] += from->delta[i];
        into->part[i] += from->part[i] + from->delta[i] * behind_ns;
    }
}

#define BUCKETS struct tp_levels
#define BUCKET struct tp_level_bucket
#include "stats/figures/buckets.def"

static uint64_t left_of_bucket(const struct tp_levels *l, int64_t time_ns)
{
    return width_of(l) - ((uint64_t)time_ns & (width_of(l) - 1));
}

bool tp_levels_add(struct tp_levels *l, enum tp_level level, int64_t time_ns,
                   unsigned __int128 by)
{
    if (!reach(l, time_ns))
        return false;
    struct tp_level_bucket *b = bucket_at(l, time_ns);
    b->delta[level] += by;
    b->part[level] += by * left_of_bucket(l, time_ns);
    return true;
}

static void add_gathered(struct tp_level_bucket *b, unsigned down, unsigned up, uint64_t steps,
                         uint64_t left_ns)
{
    unsigned __int128 count = steps / TP_LEVEL_STEP;
    unsigned __int128 part = count * left_ns - steps % TP_LEVEL_STEP;
    if (down < TP_HOT_LEVEL_COUNT) {
        b->delta[down] -= count;
        b->part[down] -= part;
    }
    if (up < TP_HOT_LEVEL_COUNT) {
        b->delta[up] += count;
        b->part[up] += part;
    }
}

// Adds all steps of a gauge to a bucket at once. Each step adds its size, times the time from the
// step to the bucket's end, to b->part[level]. The sum of all these is the integral of the gauge
// from the window's beginning to the bucket's end, minus the integral if the gauge had kept the
// value `before`. `left_ns` is the time from the window's beginning to the bucket's end,
// `passed_ns` the time from the window's beginning to since_ns.
static void add_gauge(struct tp_level_bucket *b, enum tp_level level,
                      const struct tp_level_gauge *gauge, uint64_t left_ns, uint64_t passed_ns)
{
    unsigned __int128 value = gauge->value, before = gauge->before;
    b->delta[level] += value - before;
    b->part[level] += gauge->sum + value * (left_ns - passed_ns) - before * left_ns;
}

static void flush_gauges(struct tp_levels *l, struct tp_level_bucket *b, uint64_t left_ns)
{
    for (unsigned i = 0; i < TP_GAUGE_LEVEL_COUNT; i++) {
        enum tp_level level = (enum tp_level)(TP_HOT_LEVEL_COUNT + i);
        uint64_t passed_ns = (uint64_t)l->gauges[i].since_ns - (uint64_t)l->window_ns;
        add_gauge(b, level, &l->gauges[i], left_ns, passed_ns);
        tp_levels_set_first(l, level, l->gauges[i].value);
    }
}

void tp_levels_flush(struct tp_levels *l)
{
    if (l->window_width == 0)
        return;
    struct tp_level_bucket *b = bucket_at(l, l->window_ns);
    uint64_t left_ns = left_of_bucket(l, l->window_ns);
    for (unsigned down = 0; down <= TP_HOT_LEVEL_COUNT; down++) {
        for (unsigned up = 0; up <= TP_HOT_LEVEL_COUNT; up++) {
            if (l->steps[down][up] == 0)
                continue;
            add_gathered(b, down, up, l->steps[down][up], left_ns);
            l->steps[down][up] = 0;
        }
    }
    flush_gauges(l, b, left_ns);
}

bool tp_levels_turn(struct tp_levels *l, int64_t time_ns)
{
    tp_levels_flush(l);
    if (!reach(l, time_ns))
        return false;
    unsigned shift = l->shift < TP_LEVEL_WINDOW_SHIFT ? l->shift : TP_LEVEL_WINDOW_SHIFT;
    l->window_width = UINT64_C(1) << shift;
    l->window_ns = time_ns - (int64_t)((uint64_t)time_ns & (l->window_width - 1));
    l->step_less_window = TP_LEVEL_STEP - (uint64_t)l->window_ns;
    for (unsigned i = 0; i < TP_GAUGE_LEVEL_COUNT; i++)
        l->gauges[i].since_ns = l->window_ns;
    return true;
}

bool tp_levels_merge(struct tp_levels *into, const struct tp_levels *from)
{
    uint32_t count = from->buckets.count;
    if (count == 0)
        return true;
    if (into->buckets.count == 0)
        into->shift = from->shift;
    while (into->shift < from->shift)
        join_pairs(into);
    uint64_t begin_ns = (uint64_t)from->first << from->shift, width = width_of(from);
    if (!reach(into, (int64_t)begin_ns) ||
        !reach(into, (int64_t)(begin_ns + (count - 1) * width)))
        return false;
    for (uint32_t i = 0; i < count; i++, begin_ns += width) {
        const struct tp_level_bucket *b = &from->buckets.items[i];
        uint64_t behind_ns = left_of_bucket(into, (int64_t)begin_ns) - width;
        join(bucket_at(into, (int64_t)begin_ns), b, behind_ns);
    }
    return true;
}

bool tp_levels_end(struct tp_levels *l, int64_t time_ns)
{
    unsigned __int128 levels[TP_LEVEL_COUNT] = {0};
    for (uint32_t i = 0; i < l->buckets.count; i++) {
        for (unsigned k = 0; k < TP_LEVEL_COUNT; k++)
            levels[k] += l->buckets.items[i].delta[k];
    }
    for (unsigned k = 0; k < TP_LEVEL_COUNT; k++) {
        if (!tp_levels_add(l, (enum tp_level)k, time_ns, 0 - levels[k]))
            return false;
    }
    return true;
}
