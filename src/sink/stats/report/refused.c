// Refused inputs in the report of `stats:level=full`, which has no other figures of them.
#include <stdlib.h>

#include "base/alloc.h"
#include "base/sort/compare.h"
#include "sink/print/wrap.h"
#include "sink/stats/report/parts.h"

static int compare_refused(const void *left, const void *right, void *ctx)
{
    const struct tp_full_report *r = ctx;
    const struct tp_refused_row *a = *(const struct tp_refused_row *const *)left;
    const struct tp_refused_row *b = *(const struct tp_refused_row *const *)right;
    return tp_totals_compare_texts(r->totals, a->path, b->path)
        ?: tp_compare_i64(b->code, a->code)
        ?: tp_totals_compare_texts(r->totals, a->words, b->words);
}

int tp_full_make_refused(struct tp_full_report *r, struct tp_error *err)
{
    r->refused = tp_alloc_array((size_t)r->totals->refused.count + 1, sizeof *r->refused);
    if (r->refused == NULL)
        return tp_fail(err, TP_E_MEMORY, "out of memory for a table of inputs");
    for (uint32_t i = 0; i < r->totals->refused.count; i++) {
        const struct tp_refused_row *row = &r->totals->refused.items[i];
        if (tp_full_matches(r, tp_full_text(r, row->path)))
            r->refused[r->refused_count++] = row;
    }
    qsort_r(r->refused, r->refused_count, sizeof *r->refused, compare_refused, r);
    return 0;
}

// Prints why an input was refused, in as many lines as it takes, behind a name that ends two columns
// before `at`.
static void print_words(struct tp_emit *e, unsigned at, struct tp_span words)
{
    struct tp_wrap w = {e, e->columns > 0 ? e->columns : UINT32_MAX, at, at, false};
    tp_emit_text(e, "  ");
    tp_wrap_text(&w, words);
    tp_wrap_end(&w);
}

void tp_full_print_refused(struct tp_emit *e, const struct tp_full_report *r)
{
    static const struct tp_table table = {.has_names = true, .last = "reason", .last_columns = 36};
    if (r->refused_count == 0)
        return;
    tp_table_begin(e, &table, "refused inputs");
    for (size_t i = 0; i < r->refused_count && i < r->top; i++) {
        tp_table_name(e, &table, tp_full_text(r, r->refused[i]->path), "-");
        print_words(e, tp_table_name_columns(e, &table) + 4, tp_full_text(r, r->refused[i]->words));
    }
    tp_table_more(e, r->refused_count, r->top);
}

static void put_error_json(struct tp_emit *e, const struct tp_refused_row *row,
                           struct tp_span words)
{
    tp_field_text(e, "status", TP_STATUS_REFUSED);
    tp_fields_open(e, "error", '{');
    tp_field_i64(e, "code", row->code);
    tp_field_span(e, "text", words);
    tp_fields_close(e, '{');
}

static void put_error_csv(struct tp_emit *e, struct tp_span words)
{
    tp_fields_put_csv(e, "");
    tp_emit_csv_text(e, words);
    tp_emit_printf(e, ",1%s", e->csv->row_end);
}

void tp_full_put_refused(struct tp_emit *e, const struct tp_full_report *r)
{
    tp_fields_set_csv(e, TP_STATUS_REFUSED, "");
    for (size_t i = 0; i < r->refused_count; i++) {
        struct tp_span words = tp_full_text(r, r->refused[i]->words);
        tp_fields_open_line(e, NULL, '{');
        tp_fields_name(e, "trace", tp_full_text(r, r->refused[i]->path));
        if (e->csv == NULL)
            put_error_json(e, r->refused[i], words);
        else
            put_error_csv(e, words);
        tp_fields_close(e, '{');
    }
}
