// The forms of the table "blocked time by waker" (wakers.c).
#include <inttypes.h>

#include "sink/print/shorten.h"
#include "sink/stats/report/record_fields.h"
#include "sink/stats/report/parts.h"

// Rows of waiters below a waker, if the report does not show all rows.
#define WAITER_ROWS 2
// A function is not shortened further to make room for file and line, which are left out then.
#define FUNCTION_COLUMNS_LEAST TP_SHORT_COLUMNS_LEAST

// TEXT

static const struct tp_column columns[] = {
    TP_FIGURES("total"), TP_COUNTS("count"), TP_RANKED("p99", 1), TP_RANKED("max", 2),
    TP_FIGURES("blamed")};
static const struct tp_table table = TP_TABLE_OF_NAMES(columns, NULL, 0);

// Prints "BEFORE FUNCTION (FILE:LINE)" of the place of a stack, in the columns of a name.
static void print_place(struct tp_emit *e, const struct tp_totals *totals, const char *before,
                        const struct tp_full_stack *s)
{
    const struct tp_totals_frame f = tp_full_frame(totals, s, s->place);
    struct tp_span file = tp_full_file_name(tp_intern_text(&totals->names, f.file));
    struct tp_human line = tp_human_printf(":%" PRIu64, f.line);
    unsigned file_columns = (unsigned)file.len_bytes + line.columns + 3;
    struct tp_line l = {e, tp_table_name_columns(e, &table)};
    tp_emit_text(e, "  ");
    tp_line_text(&l, before);
    bool has_file = file.len_bytes > 0 && file_columns + FUNCTION_COLUMNS_LEAST <= l.left;
    tp_line_short(&l, tp_shorten_function(tp_intern_text(&totals->names, f.function),
                                          has_file ? l.left - file_columns : l.left));
    if (has_file) {
        tp_line_text(&l, " (");
        tp_line_short(&l, tp_shorten_path(file, (unsigned)file.len_bytes));
        tp_line_text(&l, line.text);
        tp_line_text(&l, ")");
    }
    tp_cell_spaces(e, l.left);
}

static void print_waiter(struct tp_emit *e, const struct tp_totals *totals,
                         const struct tp_full_waiter *w)
{
    const struct tp_human cells[] = {tp_human_ns(w->stack.total_ns),
                                     tp_human_count(w->stack.count)};
    if (w->stack.frame_count > 0)
        print_place(e, totals, "  in ", &w->stack);
    else
        tp_table_name(e, &table, tp_span_of_text("  in (no stack)"), "");
    tp_table_cells(e, &table, cells, TP_ARRAY_LEN(cells));
    tp_table_last(e, &table, TP_ARRAY_LEN(cells),
                  w->reason.len_bytes > 0 ? w->reason : tp_span_of_text("unknown reason"));
}

static void print_waker(struct tp_emit *e, const struct tp_full_report *r,
                        const struct tp_full_waker *w)
{
    const struct tp_human cells[] = {
        tp_human_ns(w->dist.total_ns),
        tp_human_count(w->dist.count),
        tp_human_ns(tp_dist_quantile_ns(&w->dist, 990)),
        tp_human_ns(w->dist.max_ns),
        w->blamed_ns > 0 ? tp_human_ns(w->blamed_ns) : tp_human_unknown(),
    };
    size_t most = r->top == SIZE_MAX ? SIZE_MAX : WAITER_ROWS;
    if (w->kind == TP_FULL_WAKER_STACK)
        print_place(e, r->totals, "", &w->stack);
    else
        tp_table_name(e, &table, tp_span_of_text(tp_full_waker_name(w->kind)), "");
    tp_table_cells(e, &table, cells, TP_ARRAY_LEN(cells));
    tp_emit_text(e, "\n");
    for (size_t i = 0; i < w->waiter_count && i < most; i++)
        print_waiter(e, r->totals, &w->waiters[i]);
    if (w->waiter_count > most)
        tp_emit_printf(e, "    in %s more\n", tp_human_count(w->waiter_count - most).text);
}

void tp_full_print_wakers(struct tp_emit *e, const struct tp_full_report *r)
{
    size_t count = 0;
    if (r->wakers.count == 0)
        return;
    tp_table_begin(e, &table, "blocked time by waker");
    while (count < r->wakers.count && r->wakers.items[count].kind == TP_FULL_WAKER_STACK)
        count++;
    for (size_t i = 0; i < count && i < r->top; i++)
        print_waker(e, r, &r->wakers.items[i]);
    tp_table_more(e, count, r->top);
    for (size_t i = count; i < r->wakers.count; i++)
        print_waker(e, r, &r->wakers.items[i]);
}

// JSON

static void put_waiter(struct tp_emit *e, const struct tp_full_report *r,
                       const struct tp_full_waiter *w)
{
    tp_fields_open(e, NULL, '{');
    tp_full_put_place(e, r->totals, &w->stack);
    tp_field_span(e, "reason", w->reason);
    tp_field_bool(e, "idle", w->stack.is_idle);
    tp_field_wide(e, "count", w->stack.count);
    tp_field_wide(e, "total_ns", w->stack.total_ns);
    tp_fields_close(e, '{');
}

static void put_figures(struct tp_emit *e, const struct tp_full_report *r,
                        const struct tp_full_waker *w)
{
    tp_full_put_dist(e, r, &w->dist);
    tp_field_wide(e, "blamed_ns", w->blamed_ns);
}

void tp_full_put_wakers(struct tp_emit *e, const struct tp_full_report *r)
{
    static const struct tp_full_waker nobody;
    const struct tp_full_waker *others = &nobody;
    tp_fields_open_line(e, "wakers", '[');
    for (uint32_t i = 0; i < r->wakers.count; i++) {
        const struct tp_full_waker *w = &r->wakers.items[i];
        if (w->kind == TP_FULL_WAKER_OTHERS) {
            others = w;
            continue;
        }
        tp_fields_open_line(e, NULL, '{');
        tp_full_put_place(e, r->totals, &w->stack);
        put_figures(e, r, w);
        tp_fields_open(e, "waiters", '[');
        for (size_t k = 0; k < w->waiter_count; k++)
            put_waiter(e, r, &w->waiters[k]);
        tp_fields_close(e, '[');
        tp_full_put_frames(e, r, &w->stack);
        tp_fields_close(e, '{');
    }
    tp_fields_close(e, '[');
    tp_fields_open_line(e, "other_wakers", '{');
    put_figures(e, r, others);
    tp_fields_close(e, '{');
}

// CSV

static void put_begin_csv(struct tp_emit *e, const struct tp_full_report *r,
                          const struct tp_full_waker *w, const char *kind)
{
    tp_emit_printf(e, "%s,", tp_space_names[TP_SPACE_WAKE]);
    if (w->kind == TP_FULL_WAKER_OTHERS)
        tp_emit_text(e, tp_full_waker_name(w->kind));
    else
        tp_full_put_functions_csv(e, r->totals, &w->stack);
    tp_emit_printf(e, ",%s,", kind);
    tp_full_put_place_csv(e, r->totals, &w->stack);
}

void tp_full_put_wakers_csv(struct tp_emit *e, const struct tp_full_report *r)
{
    for (uint32_t i = 0; i < r->wakers.count; i++) {
        const struct tp_full_waker *w = &r->wakers.items[i];
        put_begin_csv(e, r, w, "blocked");
        tp_full_put_dist_csv(e, &w->dist);
        if (w->blamed_ns == 0)
            continue;
        put_begin_csv(e, r, w, "blamed");
        tp_emit_printf(e, ",,%s,,,,,,,\n", tp_wide_text(w->blamed_ns).text);
    }
}

// FOLDED

void tp_full_print_wakers_folded(struct tp_emit *e, const struct tp_full_report *r)
{
    // A state has them even if the report shows other stacks.
    for (uint32_t i = 0; i < r->wakers.count && r->by == TP_STATS_BY_WAKER; i++) {
        const struct tp_full_waker *w = &r->wakers.items[i];
        tp_emit_text(e, TP_FULL_WOKEN);
        if (w->kind == TP_FULL_WAKER_IDLE || w->kind == TP_FULL_WAKER_OTHERS)
            tp_emit_printf(e, ";%s", tp_full_waker_name(w->kind));
        tp_full_put_functions_folded(e, r->totals, &w->stack);
        tp_emit_printf(e, " %s\n", tp_wide_text(w->dist.total_ns).text);
    }
}
