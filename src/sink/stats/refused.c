// Refused inputs in the report of `stats:level=full`, which has no other figures of them.
#include <stdlib.h>

#include "base/alloc.h"
#include "base/sort/compare.h"
#include "sink/stats/cells.h"
#include "sink/stats/print.h"

static struct tp_span path_of(const struct tp_full_report *r, const struct tp_refused_row *row)
{
    return tp_intern_text(&r->totals->names, row->path);
}

static struct tp_span words_of(const struct tp_full_report *r, const struct tp_refused_row *row)
{
    return tp_intern_text(&r->totals->names, row->words);
}

static int compare_refused(const void *left, const void *right, void *ctx)
{
    const struct tp_full_report *r = ctx;
    const struct tp_refused_row *a = *(const struct tp_refused_row *const *)left;
    const struct tp_refused_row *b = *(const struct tp_refused_row *const *)right;
    int order = tp_span_compare(path_of(r, a), path_of(r, b));
    if (order == 0)
        order = tp_compare_i64(b->code, a->code);
    return order != 0 ? order : tp_span_compare(words_of(r, a), words_of(r, b));
}

int tp_full_make_refused(struct tp_full_report *r, struct tp_error *err)
{
    r->refused = tp_alloc_array((size_t)r->totals->refused.count + 1, sizeof *r->refused);
    if (r->refused == NULL)
        return tp_fail(err, TP_E_MEMORY, "out of memory for a table of files");
    for (uint32_t i = 0; i < r->totals->refused.count; i++) {
        const struct tp_refused_row *row = &r->totals->refused.items[i];
        if (tp_full_matches(r, path_of(r, row)))
            r->refused[r->refused_count++] = row;
    }
    qsort_r(r->refused, r->refused_count, sizeof *r->refused, compare_refused, r);
    return 0;
}

void tp_full_print_refused(struct tp_emit *e, const struct tp_full_report *r)
{
    if (r->refused_count == 0)
        return;
    tp_cell_title(e, "refused", TP_TITLE_COLUMNS);
    tp_emit_text(e, "  why\n");
    for (size_t i = 0; i < r->refused_count && i < r->top; i++) {
        tp_cell_name(e, path_of(r, r->refused[i]), "-");
        tp_emit_text(e, "  ");
        tp_cell_text(e, words_of(r, r->refused[i]));
        tp_emit_text(e, "\n");
    }
    tp_cell_more(e, r->refused_count, r->top);
}

void tp_full_print_refused_json(struct tp_emit *e, const struct tp_full_report *r)
{
    for (size_t i = 0; i < r->refused_count; i++) {
        tp_emit_text(e, r->file_count + i > 0 ? ",\n{\"file\":" : "\n{\"file\":");
        tp_emit_json_string(e, path_of(r, r->refused[i]));
        tp_emit_text(e, ",\"status\":\"" TP_STATUS_REFUSED "\",\"error\":{\"code\":");
        tp_emit_i64(e, r->refused[i]->code);
        tp_emit_text(e, ",\"text\":");
        tp_emit_json_string(e, words_of(r, r->refused[i]));
        tp_emit_text(e, "}}");
    }
}

void tp_full_print_refused_csv(struct tp_emit *e, const struct tp_full_report *r)
{
    for (size_t i = 0; i < r->refused_count; i++) {
        tp_emit_text(e, TP_STATUS_REFUSED ",");
        tp_emit_csv_text(e, path_of(r, r->refused[i]));
        tp_emit_text(e, ",,");
        tp_emit_csv_text(e, words_of(r, r->refused[i]));
        tp_emit_text(e, ",1,,,,,,,,\n");
    }
}
