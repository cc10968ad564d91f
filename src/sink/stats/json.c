#include <inttypes.h>

#include "sink/print/json_fields.h"
#include "sink/stats/print.h"

// Prints the fields of an object, without its braces.
static void print_dist(struct tp_emit *e, const struct tp_dist *d)
{
    tp_emit_printf(e, "\"count\":%" PRIu64 ",\"total_ns\":%s,\"max_ns\":%" PRIu64, d->count,
                   tp_wide_text(d->total_ns).text, d->max_ns);
#define TP_X(thousandths, key, head) \
    tp_emit_printf(e, ",\"" key "\":%" PRIu64, tp_dist_quantile_ns(d, thousandths));
    TP_FULL_QUANTILES(TP_X)
#undef TP_X
    tp_emit_printf(e, ",\"cut_count\":%" PRIu64 ",\"cut_ns\":%s", 
                   tp_dist_cut_count(d), tp_wide_text(tp_dist_cut_ns(d)).text);
}

// Prints the rows of one function that are, or are not, blocking reasons (`are_blocks`).
static void print_measures(struct tp_emit *e, const struct tp_full_row *const *rows, size_t count,
                           bool are_blocks)
{
    const char *between = "";
    for (size_t i = 0; i < count; i++) {
        if ((rows[i]->measure >= TP_MEASURE_FIRST_BLOCK) != are_blocks)
            continue;
        tp_emit_text(e, between);
        tp_emit_json_string(e, rows[i]->measure_name);
        tp_emit_text(e, ":{");
        print_dist(e, rows[i]->dist);
        tp_emit_text(e, "}");
        between = ",";
    }
}

static void print_goroutines(struct tp_emit *e, const struct tp_full_report *r)
{
    tp_emit_text(e, ",\n\"goroutines\":[");
    for (size_t i = 0, count; i < r->goroutine_row_count; i += count) {
        const struct tp_full_row *const *rows = r->by_function + i;
        count = tp_full_function_rows(r, i);
        tp_emit_text(e, i > 0 ? ",\n{\"function\":" : "\n{\"function\":");
        tp_emit_json_string(e, rows[0]->group);
        tp_emit_text(e, ",\"states\":{");
        print_measures(e, rows, count, false);
        tp_emit_text(e, "},\"blocks\":{");
        print_measures(e, rows, count, true);
        tp_emit_text(e, "}}");
    }
    tp_emit_text(e, "]");
}

static void print_space(struct tp_emit *e, const struct tp_full_report *r,
                        enum tp_durations_space space)
{
    const char *between = "";
    tp_emit_printf(e, ",\n\"%ss\":[", tp_space_names[space]);
    for (size_t i = 0; i < r->row_count; i++) {
        const struct tp_full_row *row = &r->rows[i];
        if (row->space != space)
            continue;
        tp_emit_text(e, between);
        tp_emit_text(e, "\n{\"name\":");
        tp_emit_json_string(e, row->group);
        tp_emit_text(e, ",");
        print_dist(e, row->dist);
        tp_emit_text(e, "}");
        between = ",";
    }
    tp_emit_text(e, "]");
}

static void print_stack(struct tp_emit *e, const struct tp_totals *totals, unsigned type,
                      const struct tp_full_stack *s)
{
    tp_emit_printf(e, "\n{\"type\":\"%s\",\"count\":%" PRIu64 ",\"total_ns\":%s,\"frames\":[",
                   tp_stack_type_names[type], s->count, tp_wide_text(s->total_ns).text);
    for (size_t i = 0; i < s->frame_count; i++) {
        const struct tp_totals_frame f = tp_totals_frame(totals, s->frames[i]);
        tp_emit_text(e, i > 0 ? ",{\"function\":" : "{\"function\":");
        tp_emit_json_string(e, tp_intern_text(&totals->names, f.function));
        tp_emit_text(e, ",\"file\":");
        tp_emit_json_string(e, tp_intern_text(&totals->names, f.file));
        tp_emit_printf(e, ",\"line\":%" PRIu64 ",\"pc\":%" PRIu64 "}", f.line, f.pc);
    }
    tp_emit_text(e, "]}");
}

void tp_full_print_json(struct tp_emit *e, const struct tp_full_report *r)
{
    tp_emit_text(e, "{\"schema\":\"tracepipe.stats.full/2\"");
#define TP_X(field, key) \
    tp_emit_printf(e, ",\"" key "\":%s", tp_wide_text(r->totals->field).text);
    TP_TOTALS_COUNTS(TP_X)
    TP_TOTALS_TIMES(TP_X)
#undef TP_X
    tp_json_u64(e, "doubts", r->totals->doubt_count);
    print_goroutines(e, r);
    for (unsigned space = TP_SPACE_GOROUTINE + 1; space < TP_SPACE_COARSE; space++)
        print_space(e, r, (enum tp_durations_space)space);
    tp_full_print_utilisation_json(e, r);
    static const struct tp_timeline nothing;
    tp_full_print_time_json(e, tp_full_is_whole(r) ? &r->totals->timeline : &nothing);
    tp_full_print_samples_json(e, r);
    tp_full_print_files_json(e, r);
    tp_full_print_doubtful_json(e, r);
    tp_full_print_gs_json(e, r);
    tp_full_print_coarse_json(e, r);
    tp_emit_text(e, ",\n\"stacks\":[");
    const char *between = "";
    for (unsigned type = 0; type < TP_STACK_TYPE_COUNT; type++) {
        for (size_t i = 0; i < r->stacks[type].count; i++) {
            tp_emit_text(e, between);
            print_stack(e, r->totals, type, &r->stacks[type].items[i]);
            between = ",";
        }
    }
    tp_emit_text(e, "]}\n");
}
