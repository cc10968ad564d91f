#include "stats/figures/timeline.h"

const struct tp_gauge_level tp_gauge_levels[TP_GAUGE_COUNT] = {
#define TP_X(gauge, type, key) {TP_LEVEL_##gauge, TP_LEVEL_##gauge##_KNOWN},
    TP_GAUGES(TP_X)
#undef TP_X
};

void tp_gauge_add(struct tp_gauge *into, const struct tp_gauge *from)
{
    if (from->count == 0)
        return;
    bool is_first = into->count == 0;
    into->least = is_first || from->least < into->least ? from->least : into->least;
    into->greatest = from->greatest > into->greatest ? from->greatest : into->greatest;
    into->count += from->count;
    into->change_count += from->change_count;
}

void tp_timeline_add_bucket(struct tp_timeline_bucket *into,
                            const struct tp_timeline_bucket *from)
{
    for (unsigned i = 0; i < TP_LEVEL_COUNT; i++)
        into->totals[i] = tp_wide_add(into->totals[i], from->totals[i]);
}

// Returns the integral of a level over a bucket of 2^shift ns: `level` is the level at its
// beginning, `part` what the changes inside the bucket add to the integral. Returns 0 if the
// integral is below 0, which happens only if times are out of order.
static tp_wide integral_of(tp_wide level, unsigned shift, tp_wide part)
{
    tp_wide integral = (level << shift) + part;
    return integral >> 127 == 0 ? integral : 0;
}

bool tp_timeline_make(struct tp_timeline *t, const struct tp_levels *l)
{
    tp_wide levels[TP_LEVEL_COUNT] = {0};
    t->shift = l->buckets.count > 0 ? l->shift : 0;
    for (uint32_t i = 0; i < l->buckets.count; i++) {
        const struct tp_level_bucket *b = &l->buckets.items[i];
        struct tp_timeline_bucket bucket;
        for (unsigned k = 0; k < TP_LEVEL_COUNT; k++) {
            bucket.totals[k] = integral_of(levels[k], l->shift, b->part[k]);
            levels[k] += b->delta[k];
        }
        if (!TP_LIST_ADD(&t->buckets, bucket))
            return false;
    }
    return true;
}
