// Section of a state: figures that are there once.
#include "stats/state/section.h"

// Limit of the width of buckets, 2^62 ns, which is more than the length of any trace.
#define SHIFTS_END 63

static void visit_taken(struct tp_state_visit *v, struct tp_taken *t)
{
    tp_visit_u64(v, &t->file_count);
    tp_visit_wall(v, &t->first);
    tp_visit_wall(v, &t->last);
}

static void visit_utilisation(struct tp_state_visit *v, struct tp_utilisation *u)
{
#define TP_X(field, key) tp_visit_u64(v, &u->field);
    TP_UTIL_COUNTS(TP_X)
#undef TP_X
#define TP_X(field, key) tp_visit_wide(v, &u->field);
    TP_UTIL_TIMES(TP_X)
#undef TP_X
    for (unsigned i = 0; i < TP_UTIL_WINDOW_COUNT; i++) {
        for (unsigned k = 0; k < tp_util_windows[i].figure_count; k++)
            tp_visit_below(v, &u->least_ppm[i][k], TP_UTIL_WHOLE_PPM + 1, "share of the Ps");
    }
}

static void visit_gauge(struct tp_state_visit *v, struct tp_gauge *g)
{
    tp_visit_u64(v, &g->count);
    tp_visit_u64(v, &g->change_count);
    tp_visit_u64(v, &g->least);
    tp_visit_u64(v, &g->greatest);
}

static void visit_totals(struct tp_state_visit *v, void *row)
{
    struct tp_totals *s = row;
#define TP_X(field, key) tp_visit_u64(v, &s->field);
    TP_TOTALS_COUNTS(TP_X)
#undef TP_X
    tp_visit_wide(v, &s->duration_ns);
    tp_visit_u64(v, &s->unordered_bytes);
    tp_visit_u64(v, &s->doubt_count);
    tp_visit_u64(v, &s->sample_count);
    tp_visit_wide(v, &s->sample_span_ns);
    visit_taken(v, &s->taken);
    visit_utilisation(v, &s->utilisation);
    for (unsigned i = 0; i < TP_GAUGE_COUNT; i++)
        visit_gauge(v, &s->timeline.gauges[i]);
    tp_visit_below(v, &s->timeline.shift, SHIFTS_END, "width of buckets");
    tp_visit_u64(v, &s->wall_timeline.file_count);
    tp_visit_i64(v, &s->wall_timeline.first);
    tp_visit_below(v, &s->wall_timeline.shift, SHIFTS_END, "width of buckets");
    tp_visit_below(v, &s->gs.limit, UINT32_MAX, "limit");
    tp_visit_u64(v, &s->gs.others.count);
    for (unsigned i = 0; i < TP_SPENT_COUNT; i++)
        tp_visit_wide(v, &s->gs.others.ns[i]);
    tp_visit_below(v, &s->slow.limit, UINT32_MAX, "limit");
}

static void check_taken(struct tp_state_reader *r, const struct tp_taken *t)
{
    if (t->file_count > r->totals->file_count)
        tp_state_refuse(r, "more files with wall-clock time than files");
    if (tp_wall_is_before(t->last, t->first))
        tp_state_refuse(r, "traces that end before they begin");
    if (t->file_count == 0 && (t->first.sec | t->first.nsec | t->last.sec | t->last.nsec) != 0)
        tp_state_refuse(r, "wall-clock time of no file");
}

static void check_utilisation(struct tp_state_reader *r, const struct tp_utilisation *u)
{
    uint64_t all = r->totals->file_count;
    uint32_t any = 0;
    for (unsigned i = 0; i < TP_UTIL_WINDOW_COUNT; i++)
        any |= u->least_ppm[i][TP_UTIL_FIGURE_LEAST] | u->least_ppm[i][TP_UTIL_FIGURE_P999];
    // UINT64_MAX stands for greater counts, too (tp_add_limited).
    if (u->file_count > all || (all < UINT64_MAX && u->left_out_count > all - u->file_count) ||
        (u->file_count == 0 && any > 0))
        tp_state_refuse(r, "mutator utilisation of more files than files");
}

static void check_gauge(struct tp_state_reader *r, const struct tp_gauge *g)
{
    bool is_nothing = (g->change_count | g->least | g->greatest) == 0;
    if (g->count == 0 ? !is_nothing : g->change_count >= g->count || g->least > g->greatest)
        tp_state_refuse(r, "impossible figures of a gauge");
}

static void check_totals(struct tp_state_reader *r)
{
    const struct tp_totals *s = r->totals;
    if (s->damaged_count > s->file_count)
        tp_state_refuse(r, "more damaged files than files");
    if (s->lost_bytes > s->stream_bytes)
        tp_state_refuse(r, "more lost bytes than bytes");
    // UINT64_MAX stands for greater counts, too (tp_add_limited).
    if (s->stream_bytes < UINT64_MAX && s->unordered_bytes > s->stream_bytes - s->lost_bytes)
        tp_state_refuse(r, "more unordered bytes than bytes");
    check_taken(r, &s->taken);
    check_utilisation(r, &s->utilisation);
    for (unsigned i = 0; i < TP_GAUGE_COUNT; i++)
        check_gauge(r, &s->timeline.gauges[i]);
}

const struct tp_section tp_section_totals = {.visit = visit_totals, .check = check_totals};
