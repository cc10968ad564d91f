// Traces with an inconsistent clock, in the report of `stats:level=full`. The report says of each
// whether the totals include its figures.
#include "sink/print/wrap.h"
#include "sink/stats/report/parts.h"

#define INDENT 2

int tp_full_make_doubtful(struct tp_full_report *r, struct tp_error *err)
{
    if (r->totals->doubtful == NULL)
        return 0;
    // These files are sorted as all others are.
    struct tp_full_report inner = {.totals = r->totals->doubtful, .filter = "", .measure = ""};
    int rc = tp_full_make_files(&inner, err);
    r->doubtful = inner.files;
    r->doubtful_count = inner.file_count;
    inner.files = NULL;
    tp_full_report_fini(&inner);
    return rc;
}

void tp_full_print_doubtful(struct tp_emit *e, const struct tp_full_report *r)
{
    for (size_t i = 0; i < r->doubtful_count && i < r->top; i++) {
        struct tp_wrap w = tp_wrap_begin(e, r->screen.columns, INDENT, "", INDENT);
        tp_wrap_printf(&w, r->includes_doubtful ? "inconsistent clock:" : "excluded:");
        tp_wrap_joined(&w, tp_totals_text(r->totals->doubtful, r->doubtful[i]->path), tp_span_of_text(","));
        tp_wrap_printf(&w, "%s of trace%s",
                       tp_human_ns(r->doubtful[i]->figures[TP_FILE_DURATION]).text,
                       r->includes_doubtful ? "" : ", inconsistent clock");
        tp_wrap_end(&w);
    }
    tp_table_more(e, r->doubtful_count, r->top);
}

void tp_full_put_doubtful(struct tp_emit *e, const struct tp_full_report *r)
{
    tp_fields_set_csv(e, "inconsistent_clock", r->includes_doubtful ? "included" : "excluded");
    tp_fields_open_line(e, "inconsistent_clocks", '[');
    for (size_t i = 0; i < r->doubtful_count; i++) {
        tp_fields_open_line(e, NULL, '{');
        tp_fields_name(e, "trace", tp_totals_text(r->totals->doubtful, r->doubtful[i]->path));
        if (e->csv == NULL)
            tp_field_bool(e, "included", r->includes_doubtful);
        tp_full_put_file_figures(e, r->doubtful[i]);
        tp_fields_close(e, '{');
    }
    tp_fields_close(e, '[');
}
