// The rows of stacks that the totals do not keep one by one: waits by type and place
// (stats/stack_limit.h).
#include <inttypes.h>
#include <stdio.h>

#include "sink/stats/report/parts.h"

// Returns an estimate of the number of stacks that are not kept one by one; 0: all are kept, the
// report leaves them out, or their number is not known, because they come from a state whose kept
// stacks have become fewer without PCs.
static uint64_t folded_count(const struct tp_full_report *r)
{
    return r->coarse_count > 0 ? tp_totals_stacks_left_out(&r->totals->stacks) : 0;
}

static unsigned type_of(const struct tp_full_row *row)
{
    return tp_coarse_type(row->measure);
}

void tp_full_print_coarse(struct tp_emit *e, const struct tp_full_report *r)
{
    static const struct tp_column columns[] = {TP_FIGURES("total"), TP_COUNTS("count")};
    static const struct tp_table table = TP_TABLE_OF_NAMES(columns, "waits", 19);
    if (r->coarse_count == 0)
        return;
    char title[128] = "other stacks, by function";
    uint64_t count = folded_count(r);
    if (count > 0)
        snprintf(title, sizeof title, "about %s other stacks, by function",
                 tp_human_count(count).text);
    tp_table_begin(e, &table, title);
    for (size_t i = 0; i < r->coarse_count && i < r->top; i++) {
        const struct tp_full_row *row = &r->coarse[i];
        const struct tp_human cells[] = {tp_human_ns(row->dist->total_ns),
                                         tp_human_count(row->dist->count)};
        char what[32];
        snprintf(what, sizeof what, "%s%s", tp_stack_type_names[type_of(row)],
                 tp_coarse_is_lock(row->measure) ? " (lock)" : "");
        tp_table_row(e, &table, row->group, "(no stack)", cells);
        tp_table_last(e, &table, table.count, tp_span_of_text(what));
    }
    tp_table_more(e, r->coarse_count, r->top);
}

static void put_json(struct tp_emit *e, const struct tp_full_row *row)
{
    tp_fields_open_line(e, NULL, '{');
    tp_field_text(e, "type", tp_stack_type_names[type_of(row)]);
    tp_field_bool(e, "lock", tp_coarse_is_lock(row->measure));
    tp_field_span(e, "function", row->group);
    tp_field_wide(e, "count", row->dist->count);
    tp_field_wide(e, "total_ns", row->dist->total_ns);
    tp_fields_close(e, '{');
}

static void put_csv(struct tp_emit *e, const struct tp_full_row *row)
{
    tp_emit_printf(e, "%s,\"", tp_space_names[TP_SPACE_COARSE]);
    tp_emit_csv_guard(e, row->group);
    tp_full_print_function(e, row->group);
    tp_emit_printf(e, "\",%s,%s,%" PRIu64 ",%s,,,,,,,\n", tp_stack_type_names[type_of(row)],
                   tp_coarse_is_lock(row->measure) ? "lock" : "", row->dist->count,
                   tp_wide_text(row->dist->total_ns).text);
}

void tp_full_put_coarse(struct tp_emit *e, const struct tp_full_report *r)
{
    tp_fields_set_csv(e, "total", "");
    tp_fields_line(e);
    if (e->csv == NULL || r->coarse_count > 0)
        tp_field_wide(e, "other_stack_count", folded_count(r));
    tp_fields_open(e, "coarse_stacks", '[');
    for (size_t i = 0; i < r->coarse_count; i++) {
        if (e->csv == NULL)
            put_json(e, &r->coarse[i]);
        else
            put_csv(e, &r->coarse[i]);
    }
    tp_fields_close(e, '[');
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
