// The forms of `stats:level=full` for programs; their contents: print.h.
#include <inttypes.h>
#include <stdio.h>

#include "sink/stats/print.h"

// Figures of a distribution, in the order in which all forms have them. X(key, value)
#define QUANTILE(thousandths, key, head) X(key, tp_dist_quantile_ns(d, thousandths))
#define DIST_FIGURES                                                                    \
    X("count", d->count)                                                                \
    X("total_ns", d->total_ns)                                                          \
    X("max_ns", d->max_ns)                                                              \
    TP_FULL_QUANTILES(QUANTILE)                                                         \
    X("cut_count", tp_dist_cut_count(d))                                                \
    X("cut_ns", tp_dist_cut_ns(d))

static void put_totals(struct tp_emit *e, const struct tp_totals *totals)
{
    tp_fields_set_csv(e, "total", "");
#define TP_X(field, key) tp_field_wide(e, key, totals->field);
    TP_TOTALS_COUNTS(TP_X)
#undef TP_X
    tp_field_wide(e, "duration_ns", totals->duration_ns);
    tp_field_wide(e, "doubts", totals->doubt_count);
}

// JSON

static void put_dist_json(struct tp_emit *e, const struct tp_dist *d)
{
#define X(key, value) tp_field_wide(e, key, value);
    DIST_FIGURES
#undef X
}

// Prints the rows of one function that are, or are not, blocking reasons (`are_blocks`).
static void put_measures_json(struct tp_emit *e, const struct tp_full_row *const *rows,
                              size_t count, bool are_blocks)
{
    tp_fields_open(e, are_blocks ? "blocks" : "states", '{');
    for (size_t i = 0; i < count; i++) {
        if ((rows[i]->measure >= TP_MEASURE_FIRST_BLOCK) != are_blocks)
            continue;
        tp_emit_json_key(e, NULL);
        tp_emit_json_string(e, rows[i]->measure_name);
        tp_emit_text(e, ":");
        e->has_items = false;
        tp_fields_open(e, NULL, '{');
        put_dist_json(e, rows[i]->dist);
        tp_fields_close(e, '{');
    }
    tp_fields_close(e, '{');
}

static void put_goroutines_json(struct tp_emit *e, const struct tp_full_report *r)
{
    tp_fields_open_line(e, "goroutines", '[');
    for (size_t i = 0, count; i < r->goroutine_row_count; i += count) {
        const struct tp_full_row *const *rows = r->by_function + i;
        count = tp_full_function_rows(r, i);
        tp_fields_open_line(e, NULL, '{');
        tp_field_span(e, "function", rows[0]->group);
        put_measures_json(e, rows, count, false);
        put_measures_json(e, rows, count, true);
        tp_fields_close(e, '{');
    }
    tp_fields_close(e, '[');
}

static void put_space_json(struct tp_emit *e, const struct tp_full_report *r,
                           enum tp_durations_space space)
{
    char key[32];
    snprintf(key, sizeof key, "%ss", tp_space_names[space]);
    tp_fields_open_line(e, key, '[');
    for (size_t i = 0; i < r->row_count; i++) {
        const struct tp_full_row *row = &r->rows[i];
        if (row->space != space)
            continue;
        tp_fields_open_line(e, NULL, '{');
        tp_field_span(e, "name", row->group);
        put_dist_json(e, row->dist);
        tp_fields_close(e, '{');
    }
    tp_fields_close(e, '[');
}

static void put_frame_json(struct tp_emit *e, const struct tp_totals *totals, uint32_t frame)
{
    const struct tp_totals_frame f = tp_totals_frames_get(&totals->frames, frame);
    tp_fields_open(e, NULL, '{');
    tp_field_span(e, "function", tp_intern_text(&totals->names, f.function));
    tp_field_span(e, "file", tp_intern_text(&totals->names, f.file));
    tp_field_wide(e, "line", f.line);
    tp_field_wide(e, "pc", f.pc);
    tp_fields_close(e, '{');
}

static void put_stack_json(struct tp_emit *e, const struct tp_totals *totals, unsigned type,
                           const struct tp_full_stack *s)
{
    tp_fields_open_line(e, NULL, '{');
    tp_field_text(e, "type", tp_stack_type_names[type]);
    tp_field_wide(e, "count", s->count);
    tp_field_wide(e, "total_ns", s->total_ns);
    tp_fields_open(e, "frames", '[');
    for (size_t i = 0; i < s->frame_count; i++)
        put_frame_json(e, totals, s->frames[i]);
    tp_fields_close(e, '[');
    tp_fields_close(e, '{');
}

// Puts all stacks, by type, by calls of `put`.
static void put_stacks(struct tp_emit *e, const struct tp_full_report *r,
                       void (*put)(struct tp_emit *e, const struct tp_totals *totals,
                                   unsigned type, const struct tp_full_stack *s))
{
    for (unsigned type = 0; type < TP_STACK_TYPE_COUNT; type++) {
        for (size_t i = 0; i < r->stacks[type].count; i++)
            put(e, r->totals, type, &r->stacks[type].items[i]);
    }
}

void tp_full_print_json(struct tp_emit *e, const struct tp_full_report *r)
{
    static const struct tp_timeline nothing;
    tp_fields_open(e, NULL, '{');
    tp_field_text(e, "schema", "tracepipe.stats.full/2");
    put_totals(e, r->totals);
    put_goroutines_json(e, r);
    for (unsigned space = TP_SPACE_GOROUTINE + 1; space < TP_SPACE_COARSE; space++)
        put_space_json(e, r, (enum tp_durations_space)space);
    tp_full_put_utilisation(e, r);
    tp_full_put_time(e, tp_full_is_whole(r) ? &r->totals->timeline : &nothing);
    tp_full_put_samples(e, r);
    tp_full_put_files(e, r);
    tp_full_put_doubtful(e, r);
    tp_full_put_gs(e, r);
    tp_full_put_coarse(e, r);
    tp_fields_open_line(e, "stacks", '[');
    put_stacks(e, r, put_stack_json);
    tp_fields_close(e, '[');
    tp_fields_end(e);
}

// CSV

static void put_row_csv(struct tp_emit *e, const struct tp_full_row *r)
{
    const struct tp_dist *d = r->dist;
    bool is_goroutine = r->space == TP_SPACE_GOROUTINE;
    const char *kind = r->measure >= TP_MEASURE_FIRST_BLOCK ? "block" : "state";
    tp_emit_text(e, tp_space_names[r->space]);
    tp_emit_text(e, ",");
    tp_emit_csv_text(e, r->group);
    tp_emit_text(e, ",");
    tp_emit_text(e, is_goroutine ? kind : "");
    tp_emit_text(e, ",");
    tp_emit_csv_text(e, r->measure_name);
#define X(key, value) tp_emit_text(e, ","), tp_emit_wide(e, value);
    DIST_FIGURES
#undef X
    tp_emit_text(e, "\n");
}

static void put_stack_csv(struct tp_emit *e, const struct tp_totals *totals, unsigned type,
                          const struct tp_full_stack *s)
{
    tp_emit_text(e, "stack,\"");
    for (size_t i = 0; i < s->frame_count; i++) {
        uint32_t function = tp_totals_frames_get(&totals->frames, s->frames[i]).function;
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
    static const struct tp_csv_form form = {",", ",,,,,,,,\n"}; // the value stands for the count
    e->csv = &form;
    tp_emit_text(e, "space,group,kind,measure");
#define X(key, value) tp_emit_text(e, "," key);
    DIST_FIGURES
#undef X
    tp_emit_text(e, "\n");
    put_totals(e, r->totals);
    for (size_t i = 0; i < r->row_count; i++) {
        if (r->rows[i].space != TP_SPACE_COARSE)
            put_row_csv(e, &r->rows[i]);
    }
    if (tp_full_is_whole(r)) {
        tp_full_put_utilisation(e, r);
        tp_full_put_time(e, &r->totals->timeline);
    }
    tp_full_put_samples(e, r);
    tp_full_put_files(e, r);
    tp_full_put_doubtful(e, r);
    tp_full_put_gs(e, r);
    put_stacks(e, r, put_stack_csv);
    tp_full_put_coarse(e, r);
    e->csv = NULL;
}

// FOLDED

static void put_stack_folded(struct tp_emit *e, const struct tp_totals *totals, unsigned type,
                             const struct tp_full_stack *s)
{
    tp_emit_text(e, tp_stack_type_names[type]);
    for (size_t k = s->frame_count; k > 0; k--) {
        uint32_t function = tp_totals_frames_get(&totals->frames, s->frames[k - 1]).function;
        tp_emit_text(e, ";");
        tp_full_print_function(e, tp_intern_text(&totals->names, function));
    }
    tp_emit_printf(e, " %s\n",
                   tp_wide_text(type == TP_STACK_CPU ? s->count : s->total_ns).text);
}

void tp_full_print_folded(struct tp_emit *e, const struct tp_full_report *r)
{
    put_stacks(e, r, put_stack_folded);
    tp_full_print_coarse_folded(e, r);
}
