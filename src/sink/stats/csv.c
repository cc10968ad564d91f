#include <inttypes.h>

#include "sink/stats/print.h"

static void print_numbers(struct tp_emit *e, const struct tp_dist *d)
{
    tp_emit_printf(e, ",%" PRIu64 ",%s,%" PRIu64, d->count, tp_wide_text(d->total_ns).text,
                   d->max_ns);
#define TP_X(thousandths, key, head) \
    tp_emit_printf(e, ",%" PRIu64, tp_dist_quantile_ns(d, thousandths));
    TP_FULL_QUANTILES(TP_X)
#undef TP_X
    tp_emit_printf(e, ",%" PRIu64 ",%s\n", tp_dist_cut_count(d),
                   tp_wide_text(tp_dist_cut_ns(d)).text);
}

static void print_row(struct tp_emit *e, const struct tp_full_row *r)
{
    bool is_goroutine = r->space == TP_SPACE_GOROUTINE;
    const char *kind = r->measure >= TP_MEASURE_FIRST_BLOCK ? "block" : "state";
    tp_emit_text(e, tp_space_names[r->space]);
    tp_emit_text(e, ",");
    tp_emit_csv_text(e, r->group);
    tp_emit_text(e, ",");
    tp_emit_text(e, is_goroutine ? kind : "");
    tp_emit_text(e, ",");
    tp_emit_csv_text(e, r->measure_name);
    print_numbers(e, r->dist);
}

// Prints the name of a function. Replaces quotes, line ends and ';' by '_': real names do not have
// them, but a damaged or made-up trace may.
void tp_full_print_function(struct tp_emit *e, struct tp_span name)
{
    for (size_t i = 0; i < name.len_bytes; i++) {
        unsigned char byte = name.ptr[i];
        bool is_plain = byte != ';' && byte != '"' && byte != '\n' && byte != '\r';
        tp_emit_span(e, tp_span_of(is_plain ? &name.ptr[i] : (const unsigned char *)"_", 1));
    }
}

static void print_stack(struct tp_emit *e, const struct tp_totals *totals, unsigned type,
                      const struct tp_full_stack *s)
{
    tp_emit_text(e, "stack,\"");
    for (size_t i = 0; i < s->frame_count; i++) {
        uint32_t function = tp_totals_frame(totals, s->frames[i]).function;
        if (i == 0)
            tp_emit_csv_guard(e, tp_intern_text(&totals->names, function));
        tp_emit_text(e, i > 0 ? ";" : "");
        tp_full_print_function(e, tp_intern_text(&totals->names, function));
    }
    tp_emit_text(e, "\",");
    tp_emit_text(e, tp_stack_type_names[type]);
    tp_emit_printf(e, ",,%" PRIu64 ",%s,,,,,,,\n", s->count, tp_wide_text(s->total_ns).text);
}

void tp_full_print_csv(struct tp_emit *e, const struct tp_full_report *r)
{
    tp_emit_text(e, "space,group,kind,measure,count,total_ns,max_ns");
#define TP_X(thousandths, key, head) tp_emit_text(e, "," key);
    TP_FULL_QUANTILES(TP_X)
#undef TP_X
    tp_emit_text(e, ",cut_count,cut_ns\n");
#define TP_X(field, key) \
    tp_emit_printf(e, "total,,," key ",%s,,,,,,,,\n", tp_wide_text(r->totals->field).text);
    TP_TOTALS_COUNTS(TP_X)
    TP_TOTALS_TIMES(TP_X)
#undef TP_X
    tp_emit_printf(e, "total,,,doubts,%" PRIu64 ",,,,,,,,\n", r->totals->doubt_count);
    for (size_t i = 0; i < r->row_count; i++) {
        if (r->rows[i].space != TP_SPACE_COARSE)
            print_row(e, &r->rows[i]);
    }
    if (tp_full_is_whole(r)) {
        tp_full_print_utilisation_csv(e, r);
        tp_full_print_time_csv(e, &r->totals->timeline);
    }
    tp_full_print_samples_csv(e, r);
    tp_full_print_files_csv(e, r);
    tp_full_print_refused_csv(e, r);
    tp_full_print_doubtful_csv(e, r);
    tp_full_print_gs_csv(e, r);
    for (unsigned type = 0; type < TP_STACK_TYPE_COUNT; type++) {
        for (size_t i = 0; i < r->stacks[type].count; i++)
            print_stack(e, r->totals, type, &r->stacks[type].items[i]);
    }
    tp_full_print_coarse_csv(e, r);
}

static void print_folded(struct tp_emit *e, const struct tp_totals *totals, unsigned type,
                       const struct tp_full_stack *s)
{
    tp_emit_text(e, tp_stack_type_names[type]);
    for (size_t k = s->frame_count; k > 0; k--) {
        uint32_t function = tp_totals_frame(totals, s->frames[k - 1]).function;
        tp_emit_text(e, ";");
        tp_full_print_function(e, tp_intern_text(&totals->names, function));
    }
    tp_emit_printf(e, " %s\n",
                   tp_wide_text(type == TP_STACK_CPU ? s->count : s->total_ns).text);
}

void tp_full_print_folded(struct tp_emit *e, const struct tp_full_report *r)
{
    for (unsigned type = 0; type < TP_STACK_TYPE_COUNT; type++) {
        for (size_t i = 0; i < r->stacks[type].count; i++)
            print_folded(e, r->totals, type, &r->stacks[type].items[i]);
    }
    tp_full_print_coarse_folded(e, r);
}
