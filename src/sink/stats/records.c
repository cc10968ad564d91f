// The forms of `stats:level=full` for programs; their contents: forms.h.
#include <inttypes.h>
#include <stdio.h>

#include "sink/stats/findings/print.h"
#include "sink/stats/forms.h"
#include "sink/stats/hosts/print.h"
#include "sink/stats/report/parts.h"
#include "sink/stats/report/record_fields.h"
#include "stats/names/wait_reasons.h"

// Puts when the traces were taken; in CSV nothing, whose columns hold no texts.
static void put_taken(struct tp_emit *e, const struct tp_taken *t)
{
    if (e->csv != NULL)
        return;
    tp_field_wide(e, "wall_trace_count", t->file_count);
    tp_field_known_wall(e, "wall_start", t->file_count > 0, t->first);
    tp_field_known_wall(e, "wall_end", t->file_count > 0, t->last);
}

static void put_totals(struct tp_emit *e, const struct tp_totals *totals)
{
    tp_fields_set_csv(e, "total", "");
#define TP_X(field, key) tp_field_wide(e, key, totals->field);
    TP_TOTALS_COUNTS(TP_X)
#undef TP_X
    tp_field_wide(e, "duration_ns", totals->duration_ns);
    tp_field_wide(e, "unordered_bytes", totals->unordered_bytes);
    tp_field_wide(e, "doubt_count", totals->doubt_count);
    put_taken(e, &totals->taken);
}

// JSON

static bool is_block(const struct tp_full_row *row)
{
    return row->measure >= TP_MEASURE_FIRST_BLOCK;
}

// Keys of states are words of this program; reasons of blocks are texts of the trace, perhaps
// empty, and so are values.
static void put_state_json(struct tp_emit *e, const struct tp_full_report *r,
                           const struct tp_full_row *row)
{
    char key[32];
    snprintf(key, sizeof key, "%.*s", (int)row->measure_name.len_bytes,
             (const char *)row->measure_name.ptr);
    tp_fields_open(e, key, '{');
    tp_full_put_dist(e, r, row->dist);
    tp_fields_close(e, '{');
}

// Puts the reasons that are inferred for a part of the waits without a reason.
static void put_inferred_json(struct tp_emit *e, const struct tp_full_row *const *rows, size_t count)
{
    tp_fields_open(e, "inferred", '[');
    for (size_t i = 0; i < count; i++) {
        if (!rows[i]->is_inferred)
            continue;
        tp_fields_open(e, NULL, '{');
        tp_field_span(e, "reason", tp_unmarked(rows[i]->measure_name));
        tp_field_wide(e, "cut_count", tp_dist_cut_count(rows[i]->dist));
        tp_field_wide(e, "cut_ns", tp_dist_cut_ns(rows[i]->dist));
        tp_fields_close(e, '{');
    }
    tp_fields_close(e, '[');
}

static void put_block_json(struct tp_emit *e, const struct tp_full_report *r,
                           const struct tp_full_row *row, const struct tp_full_row *const *rows,
                           size_t count)
{
    tp_fields_open(e, NULL, '{');
    tp_field_span(e, "reason", row->measure_name);
    tp_full_put_dist(e, r, row->dist);
    if (row->measure_name.len_bytes == 0)
        put_inferred_json(e, rows, count);
    tp_fields_close(e, '{');
}

// Prints the fields "states" and "blocks" of one function, or of all.
static void put_measures_json(struct tp_emit *e, const struct tp_full_report *r,
                              const struct tp_full_row *const *rows, size_t count)
{
    tp_fields_open(e, "states", '{');
    for (size_t i = 0; i < count; i++) {
        if (!is_block(rows[i]))
            put_state_json(e, r, rows[i]);
    }
    tp_fields_close(e, '{');
    tp_fields_open(e, "blocks", '[');
    for (size_t i = 0; i < count; i++) {
        if (is_block(rows[i]) && !rows[i]->is_inferred)
            put_block_json(e, r, rows[i], rows, count);
    }
    tp_fields_close(e, '[');
}

static void put_functions_json(struct tp_emit *e, const struct tp_full_report *r)
{
    tp_fields_open_line(e, "functions", '[');
    for (size_t i = 0, count; i < r->goroutine_row_count; i += count) {
        const struct tp_full_row *const *rows = r->by_function + i;
        count = tp_full_function_rows(r, i);
        tp_fields_open_line(e, NULL, '{');
        tp_field_span(e, "function", rows[0]->group);
        put_measures_json(e, r, rows, count);
        tp_fields_close(e, '{');
    }
    tp_fields_close(e, '[');
}

// Keys of the arrays of spaces.
static const char *const space_keys[TP_SPACES] = {
    [TP_SPACE_TASK] = "tasks",       [TP_SPACE_REGION] = "regions", [TP_SPACE_PAUSE] = "pauses",
    [TP_SPACE_MARK] = "mark_phases", [TP_SPACE_ASSIST] = "assists", [TP_SPACE_SWEEP] = "sweeps",
    [TP_SPACE_LOG] = "logs",         [TP_SPACE_FILE_TASK] = "tasks_by_trace",
};

static void put_space_json(struct tp_emit *e, const struct tp_full_report *r,
                           enum tp_durations_space space)
{
    tp_fields_open_line(e, space_keys[space], '[');
    for (size_t i = 0; i < r->row_count; i++) {
        const struct tp_full_row *row = &r->rows[i];
        if (row->space != space)
            continue;
        tp_fields_open_line(e, NULL, '{');
        if (space == TP_SPACE_FILE_TASK)
            tp_field_known_span(e, "trace", row->measure_name.len_bytes > 0, row->measure_name);
        tp_field_span(e, "name", row->group);
        tp_full_put_dist(e, r, row->dist);
        if (space == TP_SPACE_TASK || space == TP_SPACE_REGION)
            tp_full_put_breakdown(e, row);
        tp_fields_close(e, '{');
    }
    tp_fields_close(e, '[');
}

static void put_stack_json(struct tp_emit *e, const struct tp_full_report *r, unsigned type,
                           const struct tp_full_stack *s)
{
    struct tp_dist one;
    tp_fields_open_line(e, NULL, '{');
    tp_field_text(e, "type", tp_stack_type_names[type]);
    tp_field_wide(e, "count", s->count);
    tp_field_wide(e, "total_ns", s->total_ns);
    if (type != TP_STACK_BEFORE)
        tp_full_put_times(e, r, tp_full_stack_times(s, &one));
    if (type == TP_STACK_BEFORE && s->inferred != TP_NOT_INFERRED)
        tp_field_span(e, "inferred_reason", tp_unmarked(tp_inferred_text(s->inferred)));
    else if (type == TP_STACK_BEFORE)
        tp_field_unknown(e, "inferred_reason");
    tp_full_put_place(e, r->totals, s);
    tp_field_bool(e, "idle", s->is_idle);
    tp_field_bool(e, "in_c", s->is_in_c);
    tp_full_put_frames(e, r, s);
    tp_fields_close(e, '{');
}

// Puts the stacks of the types from `first` to `last` by calls of `put`.
static void put_stacks(struct tp_emit *e, const struct tp_full_report *r, unsigned first, unsigned last,
                       void (*put)(struct tp_emit *e, const struct tp_full_report *r,
                                   unsigned type, const struct tp_full_stack *s))
{
    for (unsigned type = first; type <= last; type++) {
        for (size_t i = 0; i < r->stacks[type].count; i++)
            put(e, r, type, &r->stacks[type].items[i]);
    }
}

static void put_states_json(struct tp_emit *e, const struct tp_full_report *r)
{
    tp_fields_line(e);
    put_measures_json(e, r, r->states.items, r->states.count);
}

void tp_full_print_json(struct tp_emit *e, const struct tp_full_report *r)
{
    tp_fields_open(e, NULL, '{');
    tp_field_text(e, "schema", "tracepipe.stats.full/6");
    put_totals(e, r->totals);
    tp_full_put_findings(e, r);
    tp_full_put_hosts(e, r);
    if (tp_full_has_versus(r))
        tp_full_put_versus(e, r);
    put_states_json(e, r);
    put_functions_json(e, r);
    tp_full_put_wrapped(e, r);
    for (unsigned space = TP_SPACE_GOROUTINE + 1; space < TP_SPACES; space++) {
        if (space_keys[space] != NULL)
            put_space_json(e, r, (enum tp_durations_space)space);
    }
    tp_full_put_utilisation(e, r);
    tp_full_put_time(e, r);
    tp_full_put_peaks(e, r);
    tp_full_put_samples(e, r);
    tp_full_put_files(e, r);
    tp_full_put_doubtful(e, r);
    tp_full_put_gs(e, r);
    tp_full_put_slow(e, r, TP_SLOW_TASK);
    tp_full_put_slow(e, r, TP_SLOW_REGION);
    tp_full_put_history(e, r);
    tp_full_put_wakers(e, r);
    tp_full_put_coarse(e, r);
    tp_fields_open_line(e, "waits_since_before", '[');
    put_stacks(e, r, TP_STACK_BEFORE, TP_STACK_BEFORE, put_stack_json);
    tp_fields_close(e, '[');
    tp_fields_open_line(e, "stacks", '[');
    put_stacks(e, r, 0, TP_STACK_BEFORE - 1, put_stack_json);
    tp_fields_close(e, '[');
    tp_fields_end(e);
}

// CSV

static void put_row_csv(struct tp_emit *e, const struct tp_full_row *r)
{
    bool is_goroutine = r->space == TP_SPACE_GOROUTINE;
    const char *kind = r->is_inferred ? "inferred_block" : is_block(r) ? "block" : "state";
    tp_emit_text(e, tp_space_names[r->space]);
    tp_emit_text(e, ",");
    tp_emit_csv_text(e, r->group);
    tp_emit_text(e, ",");
    tp_emit_text(e, is_goroutine ? kind : "");
    tp_emit_text(e, ",");
    tp_emit_csv_text(e, r->measure_name);
    tp_full_put_dist_csv(e, r->dist);
}

static void put_stack_csv(struct tp_emit *e, const struct tp_full_report *r, unsigned type,
                          const struct tp_full_stack *s)
{
    struct tp_dist one;
    tp_emit_text(e, "stack,");
    tp_full_put_functions_csv(e, r->totals, s);
    tp_emit_text(e, ",");
    tp_emit_text(e, tp_stack_type_names[type]);
    tp_emit_text(e, ",");
    tp_full_put_place_csv(e, r->totals, s);
    tp_emit_printf(e, ",%" PRIu64 ",%s", s->count, tp_wide_text(s->total_ns).text);
    tp_full_put_times_csv(e, tp_full_stack_times(s, &one));
    tp_emit_text(e, ",,\n");
}

void tp_full_print_csv(struct tp_emit *e, const struct tp_full_report *r)
{
    static const struct tp_csv_form form = {",", ",,,,,,,,\n"}; // the value stands for the count
    e->csv = &form;
    tp_emit_text(e, "space,group,kind,measure");
    tp_full_put_dist_heads_csv(e);
    put_totals(e, r->totals);
    tp_full_put_findings_csv(e, r);
    tp_full_put_hosts_csv(e, r);
    if (tp_full_has_versus(r))
        tp_full_put_versus_csv(e, r);
    for (size_t i = 0; i < r->row_count; i++) {
        if (r->rows[i].space != TP_SPACE_COARSE && r->rows[i].space != TP_SPACE_PEAK)
            put_row_csv(e, &r->rows[i]);
    }
    tp_full_put_wrapped_csv(e, r);
    for (size_t i = 0; i < r->row_count; i++)
        tp_full_put_breakdown_csv(e, &r->rows[i]);
    if (tp_full_is_whole(r)) {
        tp_full_put_utilisation(e, r);
        tp_full_put_time(e, r);
    }
    tp_full_put_peaks(e, r);
    tp_full_put_samples(e, r);
    tp_full_put_files(e, r);
    tp_full_put_doubtful(e, r);
    tp_full_put_gs(e, r);
    tp_full_put_slow(e, r, TP_SLOW_TASK);
    tp_full_put_slow(e, r, TP_SLOW_REGION);
    tp_full_put_wakers_csv(e, r);
    put_stacks(e, r, 0, TP_STACK_TYPE_COUNT - 1, put_stack_csv);
    tp_full_put_coarse(e, r);
    e->csv = NULL;
}
