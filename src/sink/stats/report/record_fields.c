#include "sink/stats/report/record_fields.h"
#include "sink/stats/report/parts.h"
#include "sink/stats/report/when.h"

#include <inttypes.h>

// Figures of a distribution, in the order in which all forms have them. X(key, value)
#define QUANTILE(thousandths, key, rank, head) X(key, tp_dist_quantile_ns(d, thousandths))
#define DIST_FIGURES                                                                    \
    X("count", d->count)                                                                \
    X("total_ns", d->total_ns)                                                          \
    X("max_ns", d->max_ns)                                                              \
    TP_FULL_QUANTILES(QUANTILE)                                                         \
    X("cut_count", tp_dist_cut_count(d))                                                \
    X("cut_ns", tp_dist_cut_ns(d))

// JSON

static void put_buckets(struct tp_emit *e, const struct tp_hist *hist)
{
    struct tp_hist_walk walk = {.hist = hist};
    tp_fields_open(e, "buckets", '[');
    while (tp_hist_walk_next(&walk)) {
        uint64_t from_ns = tp_hist_bucket_low(walk.bucket);
        tp_fields_open(e, NULL, '{');
        tp_field_wide(e, "from_ns", from_ns);
        tp_field_wide(e, "to_ns", from_ns + (tp_hist_bucket_width(walk.bucket) - 1));
        tp_field_wide(e, "count", walk.count);
        tp_fields_close(e, '{');
    }
    tp_fields_close(e, '[');
}

void tp_full_put_dist(struct tp_emit *e, const struct tp_full_report *r, const struct tp_dist *d)
{
#define X(key, value) tp_field_wide(e, key, value);
    DIST_FIGURES
#undef X
    const struct tp_when when = tp_full_when_longest(r, d);
    tp_field_known_wide(e, "max_begin_ns", when.since_ns != TP_NO_MOMENT, when.since_ns);
    tp_field_wall_ns(e, "max_wall_start", when.wall_ns);
    if (r->has_histograms)
        put_buckets(e, &d->hist);
}

void tp_full_put_times(struct tp_emit *e, const struct tp_full_report *r, const struct tp_dist *times)
{
    static const struct tp_dist none = {.count = 0};
    const struct tp_dist *d = times != NULL ? times : &none;
    const struct tp_when when = tp_full_when_longest(r, d);
    tp_field_known_wide(e, "max_ns", times != NULL, d->max_ns);
#define X(key, value) tp_field_known_wide(e, key, times != NULL, value);
    TP_FULL_QUANTILES(QUANTILE)
#undef X
    tp_field_known_wide(e, "max_begin_ns", when.since_ns != TP_NO_MOMENT, when.since_ns);
    tp_field_wall_ns(e, "max_wall_start", when.wall_ns);
}

void tp_full_put_times_csv(struct tp_emit *e, const struct tp_dist *d)
{
    tp_emit_text(e, ",");
    if (d != NULL)
        tp_emit_wide(e, d->max_ns);
#define X(key, value) tp_emit_text(e, ","), d != NULL ? tp_emit_wide(e, value) : (void)0;
    TP_FULL_QUANTILES(QUANTILE)
#undef X
}

static void put_line(struct tp_emit *e, const struct tp_totals *totals, struct tp_totals_frame f)
{
    tp_field_span(e, "function", tp_intern_text(&totals->names, f.function));
    tp_field_span(e, "file", tp_intern_text(&totals->names, f.file));
    tp_field_wide(e, "line", f.line);
}

void tp_full_put_place(struct tp_emit *e, const struct tp_totals *totals,
                       const struct tp_full_stack *s)
{
    if (s->frame_count > 0) {
        put_line(e, totals, tp_full_frame(totals, s, s->place));
        return;
    }
    tp_field_text(e, "function", "");
    tp_field_text(e, "file", "");
    tp_field_wide(e, "line", 0);
}

void tp_full_put_frames(struct tp_emit *e, const struct tp_full_report *r,
                        const struct tp_full_stack *s)
{
    tp_fields_open(e, "frames", '[');
    for (size_t i = 0; i < s->frame_count; i++) {
        const struct tp_totals_frame f = tp_full_frame(r->totals, s, i);
        tp_fields_open(e, NULL, '{');
        put_line(e, r->totals, f);
        if (r->has_pcs)
            tp_field_wide(e, "pc", f.pc);
        tp_fields_close(e, '{');
    }
    tp_fields_close(e, '[');
}

// CSV

void tp_full_put_dist_heads_csv(struct tp_emit *e)
{
#define X(key, value) tp_emit_text(e, "," key);
    DIST_FIGURES
#undef X
    tp_emit_text(e, "\n");
}

void tp_full_put_dist_csv(struct tp_emit *e, const struct tp_dist *d)
{
#define X(key, value) tp_emit_text(e, ","), tp_emit_wide(e, value);
    DIST_FIGURES
#undef X
    tp_emit_text(e, "\n");
}

void tp_full_put_functions_csv(struct tp_emit *e, const struct tp_totals *totals,
                               const struct tp_full_stack *s)
{
    tp_emit_text(e, "\"");
    for (size_t i = 0; i < s->frame_count; i++) {
        struct tp_span function = tp_intern_text(&totals->names, tp_full_frame(totals, s, i).function);
        if (i == 0)
            tp_emit_csv_guard(e, function);
        tp_emit_text(e, i > 0 ? ";" : "");
        tp_full_print_function(e, function);
    }
    tp_emit_text(e, "\"");
}

void tp_full_put_line_csv(struct tp_emit *e, const struct tp_totals *totals, uint32_t file,
                          uint64_t line)
{
    struct tp_span path = tp_intern_text(&totals->names, file);
    tp_emit_text(e, "\"");
    tp_emit_csv_guard(e, path);
    tp_full_print_function(e, path);
    tp_emit_printf(e, ":%" PRIu64 "\"", line);
}

void tp_full_put_place_csv(struct tp_emit *e, const struct tp_totals *totals,
                           const struct tp_full_stack *s)
{
    if (s->frame_count == 0)
        return;
    const struct tp_totals_frame f = tp_full_frame(totals, s, s->place);
    tp_full_put_line_csv(e, totals, f.file, f.line);
}

// FOLDED

void tp_full_put_functions_folded(struct tp_emit *e, const struct tp_totals *totals,
                                  const struct tp_full_stack *s)
{
    for (size_t k = s->frame_count; k > 0; k--) {
        tp_emit_text(e, ";");
        tp_full_print_function(
            e, tp_intern_text(&totals->names, tp_full_frame(totals, s, k - 1).function));
    }
}
