#include "stats/figures/wall_timeline.h"

#include "base/alloc.h"

// LAYING

static int64_t least(int64_t a, int64_t b)
{
    return a < b ? a : b;
}

static int64_t greatest(int64_t a, int64_t b)
{
    return a > b ? a : b;
}

// A part of a trace: a bucket of it, as far as there are events, by the wall clock.
struct part {
    int64_t begin_ns;
    int64_t end_ns; // not before the beginning
    const struct tp_timeline_bucket *levels;
};

// Returns `value` * `part` / `whole`, rounded down; `part` is at most `whole`, which is below 2^63.
static tp_wide share_of(tp_wide value, uint64_t part, uint64_t whole)
{
    return value / whole * part + value % whole * part / whole;
}

// Adds the integrals of a part to the one or two buckets in which it lies.
static void lay_part(struct tp_wall_timeline *w, const struct part *p)
{
    int64_t idx = (p->begin_ns >> w->shift) - w->first;
    struct tp_timeline_bucket *at = &w->buckets.items[idx];
    __int128 border_ns = (__int128)(w->first + idx + 1) * ((__int128)1 << w->shift);
    if (p->end_ns <= border_ns) {
        tp_timeline_add_bucket(at, p->levels);
        return;
    }
    uint64_t whole = (uint64_t)p->end_ns - (uint64_t)p->begin_ns;
    uint64_t before = (uint64_t)(border_ns - p->begin_ns);
    for (unsigned i = 0; i < TP_LEVEL_COUNT; i++) {
        tp_wide share = share_of(p->levels->totals[i], before, whole);
        at[0].totals[i] = tp_wide_add(at[0].totals[i], share);
        at[1].totals[i] = tp_wide_add(at[1].totals[i], p->levels->totals[i] - share);
    }
}

// Returns a time of the trace's clock, limited to the time in which there are events.
static int64_t within(const struct tp_wall_place *place, __int128 ns)
{
    return ns < place->first_ns ? place->first_ns
           : ns > place->last_ns ? place->last_ns
                                 : (int64_t)ns;
}

static bool make_buckets(struct tp_wall_timeline *w, int64_t first, int64_t last, unsigned shift)
{
    uint32_t count = (uint32_t)(last - first) + 1;
    w->buckets.items = tp_alloc_zero(count * sizeof *w->buckets.items);
    if (w->buckets.items == NULL)
        return false;
    w->buckets.count = w->buckets.capacity = count;
    w->first = first;
    w->shift = shift;
    return true;
}

// Joins buckets until no more are left than there may be. A trace that begins in the middle of a
// bucket may have one bucket more than it has on its own clock.
static bool limit(struct tp_wall_timeline *w)
{
    struct tp_wall_timeline all = *w;
    *w = (struct tp_wall_timeline){0};
    bool fits = tp_wall_timeline_merge(w, &all);
    tp_free(all.buckets.items);
    return fits;
}

bool tp_wall_timeline_lay(struct tp_wall_timeline *w, const struct tp_timeline *t,
                          const struct tp_wall_place *place)
{
    const __int128 width_ns = (__int128)1 << t->shift;
    int64_t offset_ns, last_ns;
    if (t->buckets.count == 0 || place->last_ns < place->first_ns ||
        __builtin_sub_overflow(place->wall_ns, place->first_ns, &offset_ns) ||
        __builtin_add_overflow(place->last_ns, offset_ns, &last_ns))
        return true;
    w->file_count = 1;
    if (!make_buckets(w, place->wall_ns >> t->shift, last_ns >> t->shift, t->shift))
        return false;
    for (uint32_t i = 0; i < t->buckets.count; i++) {
        __int128 begin_ns = (place->first_bucket + i) * width_ns;
        struct part p = {.begin_ns = within(place, begin_ns) + offset_ns,
                         .end_ns = within(place, begin_ns + width_ns) + offset_ns,
                         .levels = &t->buckets.items[i]};
        lay_part(w, &p);
    }
    return w->buckets.count <= TP_LEVELS_BUCKETS || limit(w);
}

// MERGING

static int64_t last_of(const struct tp_wall_timeline *w)
{
    return w->first + w->buckets.count - 1;
}

// Adds the buckets of `from` to those of `into`, which are not narrower and contain all of them.
static void add_buckets(struct tp_wall_timeline *into, const struct tp_wall_timeline *from)
{
    unsigned finer = into->shift - from->shift;
    for (uint32_t i = 0; i < from->buckets.count; i++) {
        int64_t at = ((from->first + i) >> finer) - into->first;
        tp_timeline_add_bucket(&into->buckets.items[at], &from->buckets.items[i]);
    }
}

// Makes buckets for the sum of two timelines, of which the first may be empty, and adds both.
static bool join(struct tp_wall_timeline *ret, const struct tp_wall_timeline *a,
                 const struct tp_wall_timeline *b)
{
    const struct tp_wall_timeline *other = a->buckets.count > 0 ? a : b;
    unsigned shift = other->shift > b->shift ? other->shift : b->shift;
    int64_t first = least(other->first >> (shift - other->shift), b->first >> (shift - b->shift));
    int64_t last =
        greatest(last_of(other) >> (shift - other->shift), last_of(b) >> (shift - b->shift));
    for (; last - first >= TP_LEVELS_BUCKETS; shift++) {
        first >>= 1;
        last >>= 1;
    }
    if (!make_buckets(ret, first, last, shift))
        return false;
    add_buckets(ret, a);
    add_buckets(ret, b);
    return true;
}

static bool contains(const struct tp_wall_timeline *w, const struct tp_wall_timeline *other)
{
    return w->buckets.count > 0 && w->shift >= other->shift &&
           other->first >> (w->shift - other->shift) >= w->first &&
           last_of(other) >> (w->shift - other->shift) <= last_of(w);
}

bool tp_wall_timeline_merge(struct tp_wall_timeline *into, const struct tp_wall_timeline *from)
{
    struct tp_wall_timeline sum = {
        .file_count = tp_add_limited(into->file_count, from->file_count)};
    if (from->buckets.count > 0 && !contains(into, from)) {
        if (!join(&sum, into, from))
            return false;
        tp_free(into->buckets.items);
        *into = sum;
        return true;
    }
    into->file_count = sum.file_count;
    add_buckets(into, from);
    return true;
}

bool tp_timeline_merge(struct tp_timeline *into, const struct tp_timeline *from)
{
    struct tp_wall_timeline sum = {.buckets.as_list = into->buckets.as_list, .shift = into->shift};
    const struct tp_wall_timeline added = {.buckets.as_list = from->buckets.as_list,
                                           .shift = from->shift};
    for (unsigned i = 0; i < TP_GAUGE_COUNT; i++)
        tp_gauge_add(&into->gauges[i], &from->gauges[i]);
    bool fits = tp_wall_timeline_merge(&sum, &added);
    into->buckets.as_list = sum.buckets.as_list;
    into->shift = sum.shift;
    return fits;
}
