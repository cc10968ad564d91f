// Findings in the JSON of `stats:level=full`: what was found, how many inputs were judged, why the
// others were not, and what came nearest to a finding if there is none.
#include "sink/stats/findings/print.h"
#include "sink/stats/findings/words.h"
#include "sink/stats/report/command.h"

static const char *const judgement_words[TP_JUDGEMENT_COUNT] = {
#define TP_X(judgement, key, words) words,
    TP_JUDGEMENTS(TP_X)
#undef TP_X
};

// PLACES

void tp_finding_put_place(struct tp_emit *e, const struct tp_totals *s, const struct tp_source_place *place)
{
    bool has_function = place->function != TP_INTERN_NONE;
    bool has_file = has_function && place->file != TP_INTERN_NONE;
    tp_field_known_span(e, "function", has_function, tp_totals_text(s, place->function));
    tp_field_known_span(e, "file", has_file, tp_totals_text(s, place->file));
    tp_field_known_wide(e, "line", has_file, place->line);
}

// Puts a place, or null if there is none.
static void put_place(struct tp_emit *e, const struct tp_full_report *r, const char *key,
                      const struct tp_source_place *place)
{
    if (place->function == TP_INTERN_NONE) {
        tp_field_unknown(e, key);
        return;
    }
    tp_fields_open(e, key, '{');
    tp_finding_put_place(e, r->totals, place);
    tp_fields_close(e, '{');
}

static void put_victims(struct tp_emit *e, const struct tp_full_report *r,
                        const struct tp_fleet_row *row)
{
    tp_fields_open(e, "victims", '[');
    for (uint32_t i = 0; i < row->victim_count; i++) {
        tp_fields_open(e, NULL, '{');
        tp_finding_put_place(e, r->totals, &row->victims[i].place);
        tp_field_ppm(e, "share", row->victims[i].share_ppm);
        tp_fields_close(e, '{');
    }
    tp_fields_close(e, '[');
}

// ROWS

// Puts the other function of a finding (stats/found.h), and what it has to do with it; null if there
// is none, or if it is the culprit.
static void put_related(struct tp_emit *e, const struct tp_full_report *r,
                        const struct tp_fleet_row *row)
{
    static const char *const roles[TP_FINDS_COUNT] = {[TP_FINDS_LEAK] = "created_by",
                                                      [TP_FINDS_SYSCALL] = "calls",
                                                      [TP_FINDS_FEW_PS] = "queued_by",
                                                      [TP_FINDS_POOL] = "pool",
                                                      [TP_FINDS_STOP_THE_WORLD] = "requested_by"};
    if (row->other.function == TP_INTERN_NONE || tp_finding_other_label(r, row) == NULL) {
        tp_field_unknown(e, "related");
        return;
    }
    tp_fields_open(e, "related", '{');
    tp_field_text(e, "role", roles[row->kind]);
    tp_finding_put_place(e, r->totals, &row->other);
    tp_fields_close(e, '{');
}

// Puts what only some kinds have (stats/found.h).
static void put_detail(struct tp_emit *e, const struct tp_fleet_row *row)
{
    bool is_few_ps = row->kind == TP_FINDS_FEW_PS;
    tp_field_known_ppm(e, "gomaxprocs", is_few_ps, row->detail[0] * 1000);
    tp_field_known_ppm(e, "busy_share", is_few_ps, row->detail[1]);
    tp_field_known_ppm(e, "heap_growth", row->kind == TP_FINDS_GC && row->detail[0] > 0, row->detail[0]);
    tp_field_bool(e, "is_forced", row->kind == TP_FINDS_GC && row->other.function != TP_INTERN_NONE);
    tp_field_known_wide(e, "median_ns", row->kind == TP_FINDS_SLOW_TASK, row->detail[0]);
}

// Puts the worst instance, with the command that shows the events around it; null if it is not known.
static void put_worst(struct tp_emit *e, const struct tp_full_report *r,
                      const struct tp_fleet_row *row)
{
    const struct tp_when when = tp_finding_when(row);
    if (when.since_ns == TP_NO_MOMENT) {
        tp_field_unknown(e, "worst_instance");
        return;
    }
    const struct tp_full_window window = tp_finding_window(row);
    const struct tp_full_command command = {window.text, tp_span_of_text(TP_FULL_EVENTS_SINK),
                                            tp_full_text(r, row->worst_path)};
    tp_fields_open(e, "worst_instance", '{');
    tp_field_wide(e, "duration_ns", row->found[0]->worst.ns);
    tp_field_known_ppm(e, "goroutines", row->kind == TP_FINDS_FEW_PS, row->found[0]->peak * 1000);
    tp_field_wide(e, "begin_ns", when.since_ns);
    tp_field_wall_ns(e, "wall_start", when.wall_ns);
    tp_full_put_command(e, r, &command);
    tp_fields_close(e, '{');
}

static void put_row(struct tp_emit *e, const struct tp_full_report *r,
                    const struct tp_fleet_row *row)
{
    const struct tp_finding_kind_info *kind = &tp_finding_kinds[row->kind];
    const struct tp_full_command command = {.sink = tp_span_of_text(TP_FULL_VIEW_SINK),
                                            .path = tp_full_text(r, row->worst_path)};
    tp_fields_open_line(e, NULL, '{');
    tp_field_text(e, "kind", kind->key);
    tp_field_ppm(e, "value", row->value_ppm);
    tp_field_text(e, "unit", tp_finding_unit_name(kind->unit));
    tp_field_ppm(e, "threshold", kind->threshold_ppm);
    tp_field_ppm(e, "importance", row->importance_ppm);
    put_place(e, r, "culprit", &row->culprit);
    put_victims(e, r, row);
    put_related(e, r, row);
    put_detail(e, row);
    tp_field_wide(e, "count", row->count);
    tp_field_known_wide(e, "cost_ns", row->kind != TP_FINDS_LEAK, row->lost);
    tp_field_known_wide(e, "leaked_goroutines", row->kind == TP_FINDS_LEAK, row->lost);
    tp_field_known_wide(e, "max_ns", row->max_ns > 0, row->max_ns);
    tp_field_known_wide(e, "p99_ns", row->p99_ns > 0, row->p99_ns);
    put_worst(e, r, row);
    tp_field_wide(e, "trace_count", row->file_count);
    tp_field_wide(e, "damaged_trace_count", row->damaged_count);
    tp_field_wide(e, "analysed_count", r->fleet.judgements[TP_JUDGEMENT_JUDGED]);
    tp_field_span(e, "worst_trace", tp_full_text(r, row->worst_path));
    tp_full_put_command(e, r, &command);
    tp_fields_open(e, "also_causes", '[');
    for (unsigned k = 0; k < TP_FINDS_COUNT; k++) {
        if ((row->also >> k & 1) != 0)
            tp_field_text(e, NULL, tp_finding_kinds[k].key);
    }
    tp_fields_close(e, '[');
    tp_fields_close(e, '{');
}

static void put_not_judged(struct tp_emit *e, const struct tp_full_report *r)
{
    tp_fields_open_line(e, "not_analysed", '[');
    for (size_t i = 0; i < r->file_count; i++) {
        if (r->files[i]->judgement == TP_JUDGEMENT_JUDGED)
            continue;
        tp_fields_open_line(e, NULL, '{');
        tp_field_span(e, "trace", tp_full_text(r, r->files[i]->path));
        tp_field_text(e, "reason", judgement_words[r->files[i]->judgement]);
        tp_fields_close(e, '{');
    }
    tp_fields_close(e, '[');
}

// Puts the kinds that were not judged in some of the judged inputs.
static void put_kinds_not_judged(struct tp_emit *e, const struct tp_full_report *r)
{
    tp_fields_open_line(e, "kinds_not_analysed", '[');
    for (unsigned k = 0; k < TP_FINDS_COUNT; k++) {
        if (r->fleet.not_judged[k] == 0)
            continue;
        tp_fields_open(e, NULL, '{');
        tp_field_text(e, "kind", tp_finding_kinds[k].key);
        tp_field_wide(e, "trace_count", r->fleet.not_judged[k]);
        tp_fields_close(e, '{');
    }
    tp_fields_close(e, '[');
}

static void put_nearest(struct tp_emit *e, const struct tp_full_report *r)
{
    const struct tp_fleet *fleet = &r->fleet;
    if (fleet->nearest == TP_FINDS_NONE) {
        tp_field_unknown(e, "closest");
        return;
    }
    tp_fields_open(e, "closest", '{');
    tp_field_text(e, "kind", tp_finding_kinds[fleet->nearest].key);
    tp_field_ppm(e, "share_of_threshold", fleet->nearest_ppm);
    tp_field_span(e, "trace", tp_full_text(r, fleet->nearest_path));
    tp_fields_close(e, '{');
}

void tp_full_put_findings(struct tp_emit *e, const struct tp_full_report *r)
{
    tp_fields_open_line(e, "findings", '[');
    for (uint32_t i = 0; i < r->fleet.count; i++)
        put_row(e, r, &r->fleet.items[i]);
    tp_fields_close(e, '[');
    tp_field_wide(e, "analysed_count", r->fleet.judgements[TP_JUDGEMENT_JUDGED]);
    put_not_judged(e, r);
    put_kinds_not_judged(e, r);
    put_nearest(e, r);
}
