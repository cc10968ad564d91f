// Sections of a state: levels over time, and by the wall clock. The section of totals has the widths
// of their buckets.
#include "stats/state/section.h"

static void visit_bucket(struct tp_state_visit *v, void *row)
{
    struct tp_timeline_bucket *b = row;
    for (unsigned i = 0; i < TP_LEVEL_COUNT; i++)
        tp_visit_wide(v, &b->totals[i]);
}

static void check_count(struct tp_state_reader *r, uint32_t count, unsigned shift)
{
    if (count > 0 && shift < TP_LEVELS_SHIFT_MIN)
        tp_state_refuse(r, "buckets of time narrower than the minimum");
    if (count == 0 && shift > 0)
        tp_state_refuse(r, "a width of no buckets");
}

static void check_time(struct tp_state_reader *r)
{
    const struct tp_timeline *t = &r->totals->timeline;
    check_count(r, t->buckets.count, t->shift);
    if (t->buckets.count > 0 && t->buckets.count - 1 > UINT64_MAX >> t->shift)
        tp_state_refuse(r, "buckets beyond the range of time");
}

const struct tp_section tp_section_time = {.visit = visit_bucket,
                                           .is_sequence = true,
                                           .most = TP_LEVELS_BUCKETS,
                                           TP_STATE_ROWS(struct tp_timeline_bucket, timeline.buckets),
                                           .check = check_time};

// BY THE WALL CLOCK

static void check_wall_time(struct tp_state_reader *r)
{
    const struct tp_wall_timeline *t = &r->totals->wall_timeline;
    int64_t end = INT64_MAX >> t->shift;
    check_count(r, t->buckets.count, t->shift);
    if (t->file_count > r->totals->file_count ||
        (t->file_count == 0 && (t->buckets.count > 0 || t->first != 0)))
        tp_state_refuse(r, "wall-clock traces that do not match the traces");
    if (t->file_count > 0 && (t->buckets.count == 0 || t->first < -end - 1 ||
                              t->first > end - (t->buckets.count - 1)))
        tp_state_refuse(r, "wall-clock buckets outside the range of time");
}

const struct tp_section tp_section_wall_time = {.visit = visit_bucket,
                                                .is_sequence = true,
                                                .most = TP_LEVELS_BUCKETS,
                                                TP_STATE_ROWS(struct tp_timeline_bucket,
                                                              wall_timeline.buckets),
                                                .check = check_wall_time};
