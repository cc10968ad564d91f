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

// Puts when the traces were taken; in CSV nothing, whose columns hold no texts.
static void put_taken(struct tp_emit *e, const struct tp_taken *t)
{
    if (e->csv != NULL)
        return;
    tp_field_wide(e, "wall_files", t->file_count);
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
    tp_field_wide(e, "doubts", totals->doubt_count);
    put_taken(e, &totals->taken);
}

// JSON

static void put_buckets_json(struct tp_emit *e, const struct tp_hist *hist)
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

static void put_dist_json(struct tp_emit *e, const struct tp_full_report *r,
                          const struct tp_dist *d)
{
#define X(key, value) tp_field_wide(e, key, value);
    DIST_FIGURES
#undef X
    if (r->has_histograms)
        put_buckets_json(e, &d->hist);
}

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
    put_dist_json(e, r, row->dist);
    tp_fields_close(e, '{');
}

static void put_block_json(struct tp_emit *e, const struct tp_full_report *r,
                           const struct tp_full_row *row)
{
    tp_fields_open(e, NULL, '{');
    tp_field_span(e, "reason", row->measure_name);
    put_dist_json(e, r, row->dist);
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
        if (is_block(rows[i]))
            put_block_json(e, r, rows[i]);
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

// Keys of the arrays of spaces. "marks" would be the name of a count of files.
static const char *const space_keys[TP_SPACES] = {
    [TP_SPACE_TASK] = "tasks",       [TP_SPACE_REGION] = "regions", [TP_SPACE_PAUSE] = "pauses",
    [TP_SPACE_MARK] = "mark_phases", [TP_SPACE_ASSIST] = "assists", [TP_SPACE_SWEEP] = "sweeps",
    [TP_SPACE_LOG] = "logs",
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
        tp_field_span(e, "name", row->group);
        put_dist_json(e, r, row->dist);
        tp_fields_close(e, '{');
    }
    tp_fields_close(e, '[');
}

static void put_line_json(struct tp_emit *e, const struct tp_totals *totals,
                          struct tp_totals_frame f)
{
    tp_field_span(e, "function", tp_intern_text(&totals->names, f.function));
    tp_field_span(e, "file", tp_intern_text(&totals->names, f.file));
    tp_field_wide(e, "line", f.line);
}

static void put_frame_json(struct tp_emit *e, const struct tp_full_report *r, uint32_t frame)
{
    const struct tp_totals_frame f = tp_totals_frames_get(&r->totals->frames, frame);
    tp_fields_open(e, NULL, '{');
    put_line_json(e, r->totals, f);
    if (r->has_pcs)
        tp_field_wide(e, "pc", f.pc);
    tp_fields_close(e, '{');
}

static void put_place_json(struct tp_emit *e, const struct tp_totals *totals,
                           const struct tp_full_stack *s)
{
    if (s->frame_count > 0) {
        put_line_json(e, totals, tp_totals_frames_get(&totals->frames, s->frames[s->place]));
        return;
    }
    tp_field_text(e, "function", "");
    tp_field_text(e, "file", "");
    tp_field_wide(e, "line", 0);
}

static void put_stack_json(struct tp_emit *e, const struct tp_full_report *r, unsigned type,
                           const struct tp_full_stack *s)
{
    tp_fields_open_line(e, NULL, '{');
    tp_field_text(e, "type", tp_stack_type_names[type]);
    tp_field_wide(e, "count", s->count);
    tp_field_wide(e, "total_ns", s->total_ns);
    put_place_json(e, r->totals, s);
    tp_field_bool(e, "idle", s->is_idle);
    tp_fields_open(e, "frames", '[');
    for (size_t i = 0; i < s->frame_count; i++)
        put_frame_json(e, r, s->frames[i]);
    tp_fields_close(e, '[');
    tp_fields_close(e, '{');
}

// Puts all stacks, by type, by calls of `put`.
static void put_stacks(struct tp_emit *e, const struct tp_full_report *r,
                       void (*put)(struct tp_emit *e, const struct tp_full_report *r,
                                   unsigned type, const struct tp_full_stack *s))
{
    for (unsigned type = 0; type < TP_STACK_TYPE_COUNT; type++) {
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
    tp_field_text(e, "schema", "tracepipe.stats.full/3");
    put_totals(e, r->totals);
    tp_full_put_findings(e, r);
    put_states_json(e, r);
    put_functions_json(e, r);
    for (unsigned space = TP_SPACE_GOROUTINE + 1; space < TP_SPACES; space++) {
        if (space_keys[space] != NULL)
            put_space_json(e, r, (enum tp_durations_space)space);
    }
    tp_full_put_utilisation(e, r);
    tp_full_put_time(e, r);
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

// Puts FILE:LINE of a stack's place; nothing if the stack has no frames.
static void put_place_csv(struct tp_emit *e, const struct tp_totals *totals,
                          const struct tp_full_stack *s)
{
    if (s->frame_count == 0)
        return;
    const struct tp_totals_frame f = tp_totals_frames_get(&totals->frames, s->frames[s->place]);
    tp_emit_text(e, "\"");
    tp_emit_csv_guard(e, tp_intern_text(&totals->names, f.file));
    tp_full_print_function(e, tp_intern_text(&totals->names, f.file));
    tp_emit_printf(e, ":%" PRIu64 "\"", f.line);
}

static void put_stack_csv(struct tp_emit *e, const struct tp_full_report *r, unsigned type,
                          const struct tp_full_stack *s)
{
    const struct tp_totals *totals = r->totals;
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
    tp_emit_text(e, ",");
    put_place_csv(e, totals, s);
    tp_emit_printf(e, ",%" PRIu64 ",%s,,,,,,,\n", s->count, tp_wide_text(s->total_ns).text);
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
        tp_full_put_time(e, r);
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

static void put_stack_folded(struct tp_emit *e, const struct tp_full_report *r, unsigned type,
                             const struct tp_full_stack *s)
{
    const struct tp_totals *totals = r->totals;
    tp_emit_text(e, tp_stack_type_names[type]);
    if (s->is_idle && r->joins_idle)
        tp_emit_text(e, ";" TP_FULL_IDLE);
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
    for (unsigned type = 0; type < TP_STACK_TYPE_COUNT; type++) {
        if (r->stacks[type].idle.count > 0)
            put_stack_folded(e, r, type, &r->stacks[type].idle);
    }
    tp_full_print_coarse_folded(e, r);
}
