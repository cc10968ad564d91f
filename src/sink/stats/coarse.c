// The rows of stacks that the totals do not keep one by one: waits by type and place
// (stats/stack_limit.h).
#include <inttypes.h>
#include <stdio.h>

#include "sink/stats/cells.h"
#include "sink/stats/print.h"

// Estimate of the number of these stacks; 0: all are kept, or the report leaves them out.
static uint64_t folded_count(const struct tp_full_report *r)
{
    return r->coarse_count > 0 ? tp_totals_stacks_left_out(&r->totals->stacks) : 0;
}

static unsigned type_of(const struct tp_full_row *row)
{
    return tp_coarse_type(row->measure);
}

static const char *kind_of(const struct tp_full_row *row)
{
    return tp_coarse_is_lock(row->measure) ? "lock" : "";
}

void tp_full_print_coarse(struct tp_emit *e, const struct tp_full_report *r)
{
    if (r->coarse_count == 0)
        return;
    char title[128];
    snprintf(title, sizeof title, "about %s more stacks folded by function: time, count, what",
             tp_human_count(folded_count(r)).text);
    tp_cell_title(e, title, 0);
    tp_emit_text(e, "\n");
    for (size_t i = 0; i < r->coarse_count && i < r->top; i++) {
        const struct tp_full_row *row = &r->coarse[i];
        tp_cell_name(e, row->group, "(no stack)");
        tp_cell_figure(e, tp_human_ns(row->dist->total_ns), TP_FIGURE_COLUMNS);
        tp_cell_figure(e, tp_human_count(row->dist->count), TP_COUNT_COLUMNS);
        tp_emit_printf(e, "  %s%s\n", tp_stack_type_names[type_of(row)],
                       tp_coarse_is_lock(row->measure) ? " (lock)" : "");
    }
    tp_cell_more(e, r->coarse_count, r->top);
}

void tp_full_print_coarse_json(struct tp_emit *e, const struct tp_full_report *r)
{
    tp_emit_printf(e, ",\n\"stacks_folded\":%" PRIu64 ",\"coarse_stacks\":[", folded_count(r));
    for (size_t i = 0; i < r->coarse_count; i++) {
        const struct tp_full_row *row = &r->coarse[i];
        tp_emit_printf(e, "%s\n{\"type\":\"%s\",\"lock\":%s,\"function\":", i > 0 ? "," : "",
                       tp_stack_type_names[type_of(row)],
                       tp_coarse_is_lock(row->measure) ? "true" : "false");
        tp_emit_json_string(e, row->group);
        tp_emit_printf(e, ",\"count\":%" PRIu64 ",\"total_ns\":%s}", row->dist->count,
                       tp_wide_text(row->dist->total_ns).text);
    }
    tp_emit_text(e, "]");
}

void tp_full_print_coarse_csv(struct tp_emit *e, const struct tp_full_report *r)
{
    if (r->coarse_count == 0)
        return;
    tp_emit_printf(e, "total,,,stacks_folded,%" PRIu64 ",,,,,,,,\n", folded_count(r));
    for (size_t i = 0; i < r->coarse_count; i++) {
        const struct tp_full_row *row = &r->coarse[i];
        tp_emit_printf(e, "%s,\"", tp_space_names[TP_SPACE_COARSE]);
        tp_emit_csv_guard(e, row->group);
        tp_full_print_function(e, row->group);
        tp_emit_printf(e, "\",%s,%s,%" PRIu64 ",%s,,,,,,,\n",
                       tp_stack_type_names[type_of(row)], kind_of(row), row->dist->count,
                       tp_wide_text(row->dist->total_ns).text);
    }
}

void tp_full_print_coarse_folded(struct tp_emit *e, const struct tp_full_report *r)
{
    for (size_t i = 0; i < r->coarse_count; i++) {
        const struct tp_full_row *row = &r->coarse[i];
        unsigned type = type_of(row);
        tp_emit_printf(e, "%s;(folded);", tp_stack_type_names[type]);
        tp_full_print_function(e, row->group);
        tp_emit_printf(e, " %s\n",
                       tp_wide_text(type == TP_STACK_CPU ? row->dist->count
                                                         : row->dist->total_ns).text);
    }
}
