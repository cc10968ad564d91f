// Goroutines by state, Ps in use, and the heap, over time: by the time since each trace began, and by
// the wall clock. Text has one of the two, JSON and CSV have both.
#include <inttypes.h>
#include <stdio.h>

#include "sink/stats/report/parts.h"

#define BAR_COLUMNS 12

// Printed figures of a gauge. X(field, key)
#define GAUGE_FIGURES(X)                                                                \
    X(count, "report_count")                                                            \
    X(change_count, "change_count")                                                     \
    X(least, "min")                                                                     \
    X(greatest, "max")

// Printed figures of a bucket. Each is a time in ns, or the integral of a level over time, or the
// mean of a level over the time in which the level is known. X(key, value)
#define FIGURES(X)                                                                      \
    X("covered_ns", sum_of(b, TP_LEVEL_COVERED))                                        \
    X("runnable_ns", sum_of(b, TP_LEVEL_RUNNABLE))                                      \
    X("running_ns", sum_of(b, TP_LEVEL_RUNNING))                                        \
    X("syscall_ns", sum_of(b, TP_LEVEL_SYSCALL))                                        \
    X("blocked_ns", sum_of(b, TP_LEVEL_BLOCKED))                                        \
    X("alive_ns", alive(b))                                                             \
    X("procs_ns", sum_of(b, TP_LEVEL_PROCS))                                            \
    X("gomaxprocs_ns", sum_of(b, TP_LEVEL_GOMAXPROCS))                                  \
    X("gomaxprocs_known_ns", sum_of(b, TP_LEVEL_GOMAXPROCS_KNOWN))                      \
    X("heap_bytes", mean_of(b, TP_LEVEL_HEAP, TP_LEVEL_HEAP_KNOWN, 1))                  \
    X("heap_known_ns", sum_of(b, TP_LEVEL_HEAP_KNOWN))                                  \
    X("goal_bytes", mean_of(b, TP_LEVEL_GOAL, TP_LEVEL_GOAL_KNOWN, 1))                  \
    X("goal_known_ns", sum_of(b, TP_LEVEL_GOAL_KNOWN))

static tp_wide sum_of(const struct tp_timeline_bucket *b, enum tp_level level)
{
    return b->totals[level];
}

static tp_wide alive(const struct tp_timeline_bucket *b)
{
    return tp_wide_add(tp_wide_add(sum_of(b, TP_LEVEL_RUNNABLE), sum_of(b, TP_LEVEL_RUNNING)),
                       tp_wide_add(sum_of(b, TP_LEVEL_SYSCALL), sum_of(b, TP_LEVEL_BLOCKED)));
}

// Returns the mean of a level times `scale`, rounded down; 0 if the time is 0.
static uint64_t mean_of(const struct tp_timeline_bucket *b, enum tp_level level,
                        enum tp_level time, unsigned scale)
{
    tp_wide ns = sum_of(b, time), sum = sum_of(b, level);
    if (ns == 0)
        return 0;
    // The product may exceed 128 bits for bytes; the quotient is then precise enough.
    return tp_wide_limited(sum <= TP_WIDE_MAX / scale ? sum * scale / ns : sum / ns * scale);
}

// The buckets of one of the two layouts.
struct buckets {
    const struct tp_timeline_bucket *items;
    uint32_t count;
    int64_t first; // bucket 0 begins at first * 2^shift ns
    unsigned shift;
};

static struct buckets since_begin(const struct tp_full_report *r)
{
    const struct tp_timeline *t = &r->totals->timeline;
    return tp_full_is_whole(r) ? (struct buckets){t->buckets.items, t->buckets.count, 0, t->shift}
                               : (struct buckets){0};
}

static struct buckets by_wall(const struct tp_full_report *r)
{
    const struct tp_wall_timeline *t = &r->totals->wall_timeline;
    return tp_full_is_whole(r)
               ? (struct buckets){t->buckets.items, t->buckets.count, t->first, t->shift}
               : (struct buckets){0};
}

static uint64_t width_of(const struct buckets *b)
{
    return b->count > 0 ? UINT64_C(1) << b->shift : 0;
}

// Returns when a bucket begins; the first one of all times would begin before INT64_MIN otherwise.
static int64_t begin_of(const struct buckets *b, uint32_t idx)
{
    return (int64_t)((uint64_t)(b->first + idx) << b->shift);
}

// The rows of the text, at most `most`: each joins the buckets with one value of idx >> shift, where
// idx counts from the beginning of the clock.
struct rows {
    struct buckets of;
    unsigned shift;
    int64_t first;
    uint32_t count;
};

static struct rows rows_of(struct buckets b, uint32_t most)
{
    struct rows rows = {.of = b};
    int64_t last = b.first + b.count - 1;
    while (b.count > 0 && (last >> rows.shift) - (b.first >> rows.shift) >= most)
        rows.shift++;
    rows.first = b.first >> rows.shift;
    rows.count = b.count > 0 ? (uint32_t)((last >> rows.shift) - rows.first) + 1 : 0;
    return rows;
}

// Returns the sum of the buckets of a row.
static struct tp_timeline_bucket row_of(const struct rows *rows, uint32_t idx)
{
    struct tp_timeline_bucket sum = {0};
    for (uint32_t i = 0; i < rows->of.count; i++) {
        if ((rows->of.first + i) >> rows->shift == rows->first + idx)
            tp_timeline_add_bucket(&sum, &rows->of.items[i]);
    }
    return sum;
}

// Returns the number of traces that have events: those that both layouts are about.
static uint64_t traces_with_events(const struct tp_full_report *r)
{
    uint64_t count = 0;
    for (uint32_t i = 0; i < r->totals->files.count; i++)
        count += r->totals->files.items[i].figures[TP_FILE_EVENTS] > 0;
    return count;
}

// Whether text lays traces out by the wall clock: there are several, all tell the time of day, and
// at least half of the rows have a trace. If fewer have, the traces lie so far apart that a table
// of rows, most of them empty, would show each of them as a point.
static bool is_laid_by_wall(const struct tp_full_report *r)
{
    const struct rows rows = rows_of(by_wall(r), TP_FULL_TIME_ROWS_MAX);
    uint64_t traces = traces_with_events(r);
    uint32_t filled = 0;
    for (uint32_t i = 0; i < rows.count; i++)
        filled += row_of(&rows, i).totals[TP_LEVEL_COVERED] > 0;
    return traces > 1 && r->totals->wall_timeline.file_count >= traces && rows.count > 0 &&
           filled >= rows.count - filled;
}

// FOR PROGRAMS

static void put_gauge(struct tp_emit *e, const char *name, const struct tp_gauge *g)
{
    tp_fields_open(e, NULL, '{');
    tp_fields_name(e, "gauge", tp_span_of_text(name));
#define TP_X(field, key) tp_field_wide(e, key, g->field);
    GAUGE_FIGURES(TP_X)
#undef TP_X
    tp_fields_close(e, '{');
}

static void put_figures(struct tp_emit *e, const struct tp_timeline_bucket *b)
{
#define TP_X(key, value) tp_field_wide(e, key, value);
    FIGURES(TP_X)
#undef TP_X
}

void tp_full_put_level_keys(struct tp_emit *e)
{
    tp_fields_open(e, "level_keys", '[');
#define TP_X(key, value) tp_field_text(e, NULL, key);
    FIGURES(TP_X)
#undef TP_X
    tp_fields_close(e, '[');
}

void tp_full_put_level_values(struct tp_emit *e, const struct tp_timeline_bucket *buckets, uint32_t count)
{
    const struct tp_timeline_bucket *b;
    tp_fields_open(e, "values", '[');
#define TP_X(key, value)                                                                \
    tp_fields_open(e, NULL, '[');                                                       \
    for (b = buckets; b < buckets + count; b++)                                         \
        tp_field_wide(e, NULL, value);                                                  \
    tp_fields_close(e, '[');
    FIGURES(TP_X)
#undef TP_X
    tp_fields_close(e, '[');
}

static void put_since_begin(struct tp_emit *e, const struct buckets *b)
{
    tp_fields_set_csv(e, "time", "");
    tp_fields_open(e, "buckets", '[');
    for (uint32_t i = 0; i < b->count; i++) {
        const struct tp_wide_text begin = tp_wide_text((uint64_t)begin_of(b, i));
        tp_fields_open_line(e, NULL, '{');
        tp_fields_number(e, "begin_ns", begin.text);
        put_figures(e, &b->items[i]);
        tp_fields_close(e, '{');
    }
    tp_fields_close(e, '[');
}

// Leaves out buckets without a trace.
static void put_by_wall(struct tp_emit *e, const struct buckets *b)
{
    tp_fields_set_csv(e, "wall_time", "");
    tp_fields_open(e, "wall_buckets", '[');
    for (uint32_t i = 0; i < b->count; i++) {
        char begin[24];
        if (b->items[i].totals[TP_LEVEL_COVERED] == 0)
            continue;
        snprintf(begin, sizeof begin, "%" PRId64, begin_of(b, i));
        tp_fields_open_line(e, NULL, '{');
        e->csv_number = begin;
        if (e->csv == NULL)
            tp_field_known_wall(e, "wall_start", true, tp_wall_at(begin_of(b, i)));
        put_figures(e, &b->items[i]);
        tp_fields_close(e, '{');
    }
    tp_fields_close(e, '[');
}

void tp_full_put_time(struct tp_emit *e, const struct tp_full_report *r)
{
    static const struct tp_timeline nothing;
    const struct tp_timeline *t = tp_full_is_whole(r) ? &r->totals->timeline : &nothing;
    const struct buckets since = since_begin(r), wall = by_wall(r);
    tp_fields_open_line(e, "timeline", '{');
    if (e->csv == NULL) {
        tp_field_text(e, "layout", is_laid_by_wall(r) ? "wall_clock" : "since_begin");
        tp_field_wide(e, "bucket_ns", width_of(&since));
        tp_field_wide(e, "clock_bucket_ns", width_of(&wall));
        tp_field_wide(e, "wall_trace_count", wall.count > 0 ? r->totals->wall_timeline.file_count : 0);
    }
    tp_fields_set_csv(e, "gauge", "");
    tp_fields_open(e, "gauges", '[');
#define TP_X(gauge, type, key) put_gauge(e, key, &t->gauges[TP_GAUGE_##gauge]);
    TP_GAUGES(TP_X)
#undef TP_X
    tp_fields_close(e, '[');
    put_since_begin(e, &since);
    put_by_wall(e, &wall);
    tp_full_put_peak(e, r);
    tp_fields_close(e, '{');
}

// TEXT

// Returns a mean as text, such as "3.4" or "1,234".
static struct tp_human human_mean(tp_wide sum, tp_wide ns)
{
    if (ns == 0)
        return tp_human_unknown();
    uint64_t tenths = tp_wide_ratio(sum, 10, ns);
    if (tenths >= 10000)
        return tp_human_count(tenths / 10 + (tenths % 10 >= 5));
    return tp_human_ratio(sum, ns);
}

static struct tp_human human_bytes(const struct tp_timeline_bucket *b, enum tp_level level,
                                   enum tp_level known)
{
    return sum_of(b, known) > 0 ? tp_human_bytes(mean_of(b, level, known, 1)) : tp_human_unknown();
}

#define LABEL_COLUMNS 12
// The last column and its bar are left out where there is no room for both; where there are less
// than 80 columns, others, too.
static const struct tp_column columns[] = {
    TP_COLUMN("runnable", 8),       TP_COLUMN("running", 8),   {"syscall", 8, 4, false},
    {"blocked", 8, 1, false},       {"alive", 8, 5, false},    {"heap", 8, 3, false},
    {"Ps used", 8, 2, false},       {"Ps %", 7, 6, false},
};
#define USED (TP_ARRAY_LEN(columns) - 1)
#define TABLE(column_count, bar_columns)                                                \
    {.columns = columns,                                                                \
     .count = (column_count),                                                           \
     .title_columns = LABEL_COLUMNS + 1,                                                \
     .indent_columns = 1,                                                               \
     .gap_columns = 1,                                                                  \
     .last_columns = (bar_columns)}
static const struct tp_table table_with_bars = TABLE(TP_ARRAY_LEN(columns), BAR_COLUMNS);
static const struct tp_table table_without_bars = TABLE(USED, 0);

static bool has_bars(const struct tp_emit *e)
{
    return tp_table_shows(e, &table_with_bars, USED);
}

static const struct tp_table *table_of(const struct tp_emit *e)
{
    return has_bars(e) ? &table_with_bars : &table_without_bars;
}
// Longer than the room beside the heads, so it has a line.
static const char title[] = "over time: average goroutines, heap size, Ps in use";
static const char narrow_title[] = "over time: averages";

static void print_figures(struct tp_emit *e, const struct tp_timeline_bucket *b)
{
    tp_wide ns = sum_of(b, TP_LEVEL_COVERED);
    uint64_t used = mean_of(b, TP_LEVEL_PROCS, TP_LEVEL_COVERED, 1000);
    uint64_t all = mean_of(b, TP_LEVEL_GOMAXPROCS, TP_LEVEL_GOMAXPROCS_KNOWN, 1000);
    const struct tp_human cells[] = {
        human_mean(sum_of(b, TP_LEVEL_RUNNABLE), ns),
        human_mean(sum_of(b, TP_LEVEL_RUNNING), ns),
        human_mean(sum_of(b, TP_LEVEL_SYSCALL), ns),
        human_mean(sum_of(b, TP_LEVEL_BLOCKED), ns),
        human_mean(alive(b), ns),
        human_bytes(b, TP_LEVEL_HEAP, TP_LEVEL_HEAP_KNOWN),
        human_mean(sum_of(b, TP_LEVEL_PROCS), ns),
        tp_human_share(used, all),
    };
    bool has_share = has_bars(e) && all > 0;
    tp_table_cells(e, table_of(e), cells, TP_ARRAY_LEN(cells) - !has_share);
    if (has_share && used >= all / BAR_COLUMNS) {
        tp_cell_spaces(e, 2);
        tp_cell_bar(e, used, all, BAR_COLUMNS);
    }
    tp_emit_text(e, "\n");
}

// Returns a time of day, as exact as rows of `width_ns` need.
static struct tp_human human_wall(int64_t ns, uint64_t width_ns, const struct tp_zone *zone)
{
    char text[TP_WALL_MAX_BYTES + 1];
    *tp_put_wall((unsigned char *)text, tp_wall_at(ns), 3, zone) = '\0';
    // 2026-11-21T02:58:52.082Z: the year has four digits.
    const uint64_t day_ns = UINT64_C(86400000000000), second_ns = 1000000000;
    if (width_ns >= day_ns)
        return tp_human_printf("%.10s", text);
    if (width_ns >= day_ns / 24)
        return tp_human_printf("%.5s %.5s", text + 5, text + 11);
    return tp_human_printf(width_ns >= second_ns ? "%.8s" : "%.12s", text + 11);
}

// Prints rows of buckets since the begin, or by the wall clock, under their head.
static void print_rows(struct tp_emit *e, const struct tp_full_report *r, const struct rows *rows,
                       bool is_wall)
{
    uint64_t width_ns = UINT64_C(1) << rows->shift << rows->of.shift;
    bool is_narrow = e->columns > 0 && e->columns < sizeof title - 1;
    tp_table_begin(e, table_of(e), is_narrow ? narrow_title : title);
    for (uint32_t i = 0; i < rows->count; i++) {
        const struct tp_timeline_bucket row = row_of(rows, i);
        uint64_t begin_ns = (uint64_t)(rows->first + i) * width_ns;
        tp_cell_spaces(e, 1);
        tp_cell_figure(e,
                       is_wall ? human_wall((int64_t)begin_ns, width_ns, r->zone)
                               : tp_human_ns(begin_ns),
                       LABEL_COLUMNS);
        if (!is_wall || row.totals[TP_LEVEL_COVERED] > 0)
            print_figures(e, &row);
        else
            tp_emit_text(e, "  no trace\n");
    }
}

static void print_gauges(struct tp_emit *e, const struct tp_timeline *t)
{
    const struct tp_gauge *procs = &t->gauges[TP_GAUGE_GOMAXPROCS];
    const struct tp_gauge *heap = &t->gauges[TP_GAUGE_HEAP], *goal = &t->gauges[TP_GAUGE_GOAL];
    // A constant one is in the head.
    if (procs->least < procs->greatest && procs->change_count == 0)
        tp_emit_printf(e, "  GOMAXPROCS: %s to %s, constant within each trace\n",
                       tp_human_count(procs->least).text, tp_human_count(procs->greatest).text);
    else if (procs->least < procs->greatest)
        tp_emit_printf(e, "  GOMAXPROCS: %s to %s, changed %s time%s\n",
                       tp_human_count(procs->least).text, tp_human_count(procs->greatest).text,
                       tp_human_count(procs->change_count).text,
                       tp_plural(procs->change_count));
    if (heap->count > 0)
        tp_emit_printf(e, "  heap: maximum %s\n", tp_human_bytes(heap->greatest).text);
    if (goal->count > 0)
        tp_emit_printf(e, "  heap goal: maximum %s\n", tp_human_bytes(goal->greatest).text);
}

// Returns what to say below the table; NULL: nothing.
static const char *note(const struct tp_full_report *r)
{
    if (is_laid_by_wall(r))
        return "by wall-clock time, averages per trace";
    return traces_with_events(r) > 1 ? "by time since the start of each trace" : NULL;
}

// Returns whether a goroutine was in any state at any time: not if traces have little but their
// headers, or end before what they tell of goroutines.
static bool has_goroutines(const struct tp_full_report *r)
{
    const struct rows whole = rows_of(since_begin(r), 1);
    for (uint32_t i = 0; i < whole.count; i++) {
        const struct tp_timeline_bucket row = row_of(&whole, i);
        if (alive(&row) > 0)
            return true;
    }
    return false;
}

static struct rows text_rows(const struct tp_full_report *r, uint32_t most)
{
    if (!has_goroutines(r))
        return (struct rows){.count = 0};
    return rows_of(is_laid_by_wall(r) ? by_wall(r) : since_begin(r), most);
}

size_t tp_full_time_count(const struct tp_full_report *r)
{
    return text_rows(r, TP_FULL_TIME_ROWS_SHORT).count;
}

unsigned tp_full_time_head(const struct tp_full_report *r)
{
    unsigned lines = note(r) != NULL ? 4 : 3;
    return tp_full_has_peak(r) ? lines + 1 : lines;
}

void tp_full_print_time(struct tp_emit *e, const struct tp_full_report *r, uint32_t most)
{
    const struct rows rows = text_rows(r, most);
    if (rows.count == 0)
        return;
    print_rows(e, r, &rows, is_laid_by_wall(r));
    if (note(r) != NULL)
        tp_emit_printf(e, "  %s\n", note(r));
    tp_full_print_peak(e, r);
    if (most > TP_FULL_TIME_ROWS_SHORT)
        print_gauges(e, &r->totals->timeline);
}
