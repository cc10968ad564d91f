// Files whose clock is in doubt, in the report of `stats:level=full`. The report says of each file
// whether the totals include its figures.
#include "base/alloc.h"
#include "sink/stats/cells.h"
#include "sink/stats/print.h"

static const char *const figure_keys[] = {
#define TP_X(figure, key) key,
    TP_FILE_FIGURES(TP_X)
#undef TP_X
};

int tp_full_make_doubtful(struct tp_full_report *r, struct tp_error *err)
{
    if (r->totals->doubtful == NULL)
        return 0;
    // Sort them as all files.
    struct tp_full_report inner = {.totals = r->totals->doubtful, .filter = ""};
    int rc = tp_full_make_files(&inner, err);
    r->doubtful = inner.files;
    r->doubtful_count = inner.file_count;
    inner.files = NULL;
    tp_full_report_fini(&inner);
    return rc;
}

static struct tp_span path_of(const struct tp_full_report *r, size_t idx)
{
    return tp_intern_text(&r->totals->doubtful->names, r->doubtful[idx]->path);
}

void tp_full_print_doubtful(struct tp_emit *e, const struct tp_full_report *r)
{
    for (size_t i = 0; i < r->doubtful_count && i < r->top; i++) {
        tp_emit_text(e, r->tells_doubtful ? "  clock in doubt: " : "  left out: ");
        tp_cell_text(e, path_of(r, i));
        tp_emit_printf(e, ", %s of trace%s\n",
                       tp_human_ns(r->doubtful[i]->figures[TP_FILE_DURATION]).text,
                       r->tells_doubtful ? "" : ", clock in doubt");
    }
    tp_cell_more(e, r->doubtful_count, r->top);
}

void tp_full_print_doubtful_json(struct tp_emit *e, const struct tp_full_report *r)
{
    tp_emit_text(e, ",\n\"doubtful\":[");
    for (size_t i = 0; i < r->doubtful_count; i++) {
        tp_emit_text(e, i > 0 ? ",\n{\"file\":" : "\n{\"file\":");
        tp_emit_json_string(e, path_of(r, i));
        tp_emit_printf(e, ",\"included\":%s", r->tells_doubtful ? "true" : "false");
        for (unsigned k = 0; k < TP_FILE_FIGURE_COUNT; k++)
            tp_emit_printf(e, ",\"%s\":%s", figure_keys[k],
                           tp_wide_text(r->doubtful[i]->figures[k]).text);
        tp_emit_text(e, "}");
    }
    tp_emit_text(e, "]");
}

void tp_full_print_doubtful_csv(struct tp_emit *e, const struct tp_full_report *r)
{
    for (size_t i = 0; i < r->doubtful_count; i++) {
        for (unsigned k = 0; k < TP_FILE_FIGURE_COUNT; k++) {
            tp_emit_text(e, "doubtful,");
            tp_emit_csv_text(e, path_of(r, i));
            tp_emit_printf(e, ",%s,%s,%s,,,,,,,,\n", r->tells_doubtful ? "included" : "left out",
                           figure_keys[k], tp_wide_text(r->doubtful[i]->figures[k]).text);
        }
    }
}
