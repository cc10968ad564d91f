// Findings in the CSV of `stats:level=full`: the figures of each one, then two rows whose measure
// is a text: the line that is to blame, and the worst input.
#include "sink/stats/findings/print.h"
#include "sink/stats/findings/words.h"
#include "sink/stats/report/record_fields.h"

static void put_figures(struct tp_emit *e, const struct tp_fleet_row *row)
{
    tp_field_wide(e, "value_ppm", row->value_ppm);
    tp_field_wide(e, "threshold_ppm", tp_finding_kinds[row->kind].threshold_ppm);
    tp_field_wide(e, "importance_ppm", row->importance_ppm);
    tp_field_wide(e, "count", row->count);
    tp_field_wide(e, row->kind == TP_FINDS_LEAK ? "leaked_goroutines" : "cost_ns", row->lost);
    tp_field_known_wide(e, "max_ns", row->max_ns > 0, row->max_ns);
    tp_field_known_wide(e, "p99_ns", row->p99_ns > 0, row->p99_ns);
    const struct tp_when when = tp_finding_when(row);
    bool has_worst = when.since_ns != TP_NO_MOMENT, has_wall = when.wall_ns != TP_NO_WALL_NS;
    tp_field_known_wide(e, "worst_duration_ns", has_worst, row->found[0]->worst.ns);
    tp_field_known_wide(e, "worst_goroutines_thousandths",
                        has_worst && row->kind == TP_FINDS_FEW_PS, row->found[0]->peak);
    tp_field_known_wide(e, "worst_begin_ns", has_worst, when.since_ns);
    tp_field_known_i64(e, "worst_wall_start_ns", has_wall, when.wall_ns);
    tp_field_wide(e, "trace_count", row->file_count);
    tp_field_wide(e, "damaged_trace_count", row->damaged_count);
}

static void put_row(struct tp_emit *e, const struct tp_full_report *r,
                    const struct tp_fleet_row *row)
{
    static const char row_end[] = ",1,,,,,,,,\n";
    const struct tp_source_place *place = &row->culprit;
    const char *kind = tp_finding_kinds[row->kind].key;
    struct tp_span culprit = tp_full_text(r, place->function);
    tp_fields_set_csv(e, "finding", kind);
    tp_fields_name(e, "function", culprit);
    put_figures(e, row);
    if (place->function != TP_INTERN_NONE && place->file != TP_INTERN_NONE) {
        tp_fields_set_csv(e, "finding_place", kind);
        tp_fields_name(e, "function", culprit);
        tp_fields_put_csv(e, "");
        tp_full_put_line_csv(e, r->totals, place->file, place->line);
        tp_emit_text(e, row_end);
    }
    tp_fields_set_csv(e, "finding_trace", kind);
    tp_fields_name(e, "function", culprit);
    tp_fields_put_csv(e, "");
    tp_emit_csv_text(e, tp_full_text(r, row->worst_path));
    tp_emit_text(e, row_end);
}

void tp_full_put_findings_csv(struct tp_emit *e, const struct tp_full_report *r)
{
    for (uint32_t i = 0; i < r->fleet.count; i++)
        put_row(e, r, &r->fleet.items[i]);
}
