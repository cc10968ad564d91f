// When most goroutines waited for a P at once: of all, below the table over time, and by start function.
#include "base/sort/compare.h"
#include "sink/print/shorten.h"
#include "sink/stats/report/parts.h"
#include "sink/stats/report/when.h"

// Text shows no lower peaks: where goroutines run, single ones always wait.
#define THOUSANDTHS_SHOWN 2000

// Columns of a time since the trace began, and those of a function, at most, that keep the wall clock out.
#define WHEN_COLUMNS ((unsigned)sizeof ", at 100.000000s" - 1)
#define FUNCTION_COLUMNS 24

// Returns the row with the peak of all goroutines; NULL: there is none. Of several inputs it is the
// greatest, of equal ones the first, then the first by name.
static const struct tp_full_row *peak_of_all(const struct tp_full_report *r)
{
    const struct tp_full_row *all = NULL;
    for (size_t i = 0; i < r->row_count; i++) {
        const struct tp_full_row *row = &r->rows[i];
        if (row->space != TP_SPACE_PEAK || row->measure != TP_PEAK_OF_ALL)
            continue;
        if (all == NULL || (tp_compare_u64(all->dist->max_ns, row->dist->max_ns)
                            ?: tp_compare_u64(row->dist->max_at, all->dist->max_at)
                            ?: tp_span_compare(row->group, all->group)) < 0)
            all = row;
    }
    return all;
}

static struct tp_human human_peak(const struct tp_full_row *row)
{
    return tp_human_ratio(row->dist->max_ns, 1000);
}

bool tp_full_has_peak(const struct tp_full_report *r)
{
    const struct tp_full_row *all = tp_full_is_whole(r) ? peak_of_all(r) : NULL;
    return all != NULL && all->dist->max_ns >= THOUSANDTHS_SHOWN;
}

// Returns that the height of the peak is a mean and, if it is known, because there is one trace, of how long a time.
static struct tp_human human_width(const struct tp_full_report *r, const struct tp_full_row *all)
{
    for (size_t i = 0; i < r->row_count; i++) {
        const struct tp_full_row *row = &r->rows[i];
        bool is_width = row->space == TP_SPACE_PEAK && row->measure == TP_PEAK_WIDTH &&
                        tp_intern_is_same(row->group, all->group);
        if (is_width && row->dist->count == 1)
            return tp_human_printf(" (mean of %s)", tp_human_ns(row->dist->max_ns).text);
    }
    return tp_human_printf("%s", " (mean)");
}

void tp_full_print_peak(struct tp_emit *e, const struct tp_full_report *r)
{
    static const char before[] = ", most of ";
    if (!tp_full_has_peak(r))
        return;
    const struct tp_full_row *all = peak_of_all(r);
    const struct tp_when when = tp_full_when_longest(r, all->dist);
    const struct tp_human width = human_width(r, all);
    struct tp_short function = tp_shorten_function(all->group, FUNCTION_COLUMNS);
    struct tp_line l = {e, r->screen.columns};
    tp_line_text(&l, "  most runnable: ");
    tp_line_text(&l, human_peak(all).text);
    if (l.left >= width.columns + WHEN_COLUMNS)
        tp_line_text(&l, width.text);
    unsigned kept = when.since_ns != TP_NO_MOMENT ? (unsigned)sizeof before - 1 + function.columns : 0;
    kept = l.left >= kept + WHEN_COLUMNS ? kept : 0;
    l.left -= kept;
    if (tp_when_is_known(when))
        tp_full_line_when(&l, r, ", at ", when);
    l.left += kept;
    if (l.left >= sizeof before + 12 && all->group.len_bytes > 0) {
        tp_line_text(&l, before);
        tp_line_short(&l, tp_shorten_function(all->group, l.left));
    }
    tp_emit_text(e, "\n");
}

static bool is_shown(const struct tp_full_row *row)
{
    return row->space == TP_SPACE_PEAK && row->measure == TP_PEAK_OF_FUNCTION &&
           row->dist->max_ns >= THOUSANDTHS_SHOWN;
}

void tp_full_print_peaks(struct tp_emit *e, const struct tp_full_report *r)
{
    static const struct tp_column columns[] = {TP_COLUMN("most", 8)};
    struct tp_table table = TP_TABLE_OF_NAMES(columns, "at", 45);
    size_t count = 0;
    for (size_t i = 0; i < r->row_count; i++) {
        if (is_shown(&r->rows[i]) && count++ < r->top)
            tp_table_expect_name(&table, r->rows[i].group, "(start function unknown)");
    }
    if (count > 0)
        tp_table_begin(e, &table, "runnable at once, by start function");
    count = 0;
    for (size_t i = 0; i < r->row_count; i++) {
        const struct tp_full_row *row = &r->rows[i];
        if (!is_shown(row) || count++ >= r->top)
            continue;
        const struct tp_human most = human_peak(row);
        tp_table_name(e, &table, row->group, "(start function unknown)");
        tp_table_cells(e, &table, &most, 1);
        tp_table_last(e, &table, table.count,
                      tp_span_of_text(tp_full_when_text(r, tp_full_when_longest(r, row->dist)).text));
    }
    tp_table_more(e, count, r->top);
}

// FOR PROGRAMS

static void put_peak(struct tp_emit *e, const struct tp_full_report *r,
                     const struct tp_full_row *row)
{
    const struct tp_when when = tp_full_when_longest(r, row->dist);
    tp_fields_name(e, "function", row->group);
    if (e->csv == NULL) {
        tp_field_ppm(e, "goroutines", row->dist->max_ns * 1000);
        tp_field_known_wide(e, "begin_ns", when.since_ns != TP_NO_MOMENT, when.since_ns);
        tp_field_wall_ns(e, "wall_start", when.wall_ns);
        return;
    }
    tp_field_wide(e, "goroutines_thousandths", row->dist->max_ns);
    tp_field_known_wide(e, "begin_ns", when.since_ns != TP_NO_MOMENT, when.since_ns);
    tp_field_known_i64(e, "wall_start_ns", when.wall_ns != TP_NO_WALL_NS, when.wall_ns);
}

void tp_full_put_peak(struct tp_emit *e, const struct tp_full_report *r)
{
    const struct tp_full_row *all = tp_full_is_whole(r) ? peak_of_all(r) : NULL;
    tp_fields_set_csv(e, "runnable_peak", "all");
    if (all == NULL) {
        tp_field_unknown(e, "runnable_peak");
        return;
    }
    tp_fields_open(e, "runnable_peak", '{');
    put_peak(e, r, all);
    tp_fields_close(e, '{');
}

void tp_full_put_peaks(struct tp_emit *e, const struct tp_full_report *r)
{
    tp_fields_set_csv(e, "runnable_peak", "function");
    tp_fields_open_line(e, "runnable_peaks", '[');
    for (size_t i = 0; i < r->row_count; i++) {
        if (r->rows[i].space != TP_SPACE_PEAK || r->rows[i].measure != TP_PEAK_OF_FUNCTION)
            continue;
        tp_fields_open_line(e, NULL, '{');
        put_peak(e, r, &r->rows[i]);
        tp_fields_close(e, '{');
    }
    tp_fields_close(e, '[');
}
