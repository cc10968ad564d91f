// Traces by one measure, the greatest first: the text of `by=trace,measure=KEY`.
#include <string.h>

#include "sink/stats/hosts/print.h"
#include "sink/stats/hosts/words.h"

#define VALUE_COLUMNS_LEAST 12
// A longer heading is the key of the measure alone.
#define VALUE_COLUMNS_MOST 24

void tp_full_print_measured(struct tp_emit *e, const struct tp_full_report *r)
{
    struct tp_named_measure measure;
    struct tp_error err;
    // The option was checked when it was set.
    if (tp_measure_parse(r->measure, &measure, &err) != 0)
        return;
    const char *head = strlen(r->measure) > VALUE_COLUMNS_MOST ? tp_measure_info(measure.measure).key : r->measure;
    size_t head_columns = strlen(head);
    const struct tp_column column = {
        head, head_columns > VALUE_COLUMNS_LEAST ? (unsigned)head_columns : VALUE_COLUMNS_LEAST, 0, false};
    const struct tp_table table = {&column, 1, true, 0, 0, 1, 1, NULL, 0};
    tp_table_begin(e, &table, "traces");
    for (size_t i = 0; i < r->file_count && i < r->top; i++) {
        const struct tp_file_row *f = r->files_by_running[i];
        uint64_t value;
        bool is_known = tp_row_value(r->totals, f, &measure, &value);
        const struct tp_human cell = is_known ? tp_measure_human(measure.measure, value) : tp_human_unknown();
        tp_table_row(e, &table, tp_full_path(r, tp_full_text(r, f->path)), "-", &cell);
        tp_emit_text(e, "\n");
    }
    tp_table_more(e, r->file_count, r->top);
}
