// Goroutines by state, Ps in use, and the heap, over time; in all formats but FOLDED.
#include "sink/stats/print.h"

#define TEXT_ROWS_MAX 24
#define BAR_COLUMNS 20

// Printed figures of a gauge. X(field, key)
#define GAUGE_FIGURES(X)                                                                \
    X(count, "told")                                                                    \
    X(change_count, "changes")                                                          \
    X(least, "least")                                                                   \
    X(greatest, "greatest")

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

static uint64_t width_of(const struct tp_timeline *t)
{
    return t->buckets.count > 0 ? UINT64_C(1) << t->shift : 0;
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

static void put_bucket(struct tp_emit *e, uint64_t begin_ns, const struct tp_timeline_bucket *b)
{
    const struct tp_wide_text begin = tp_wide_text(begin_ns);
    tp_fields_open_line(e, NULL, '{');
    tp_fields_number(e, "begin_ns", begin.text);
#define TP_X(key, value) tp_field_wide(e, key, value);
    FIGURES(TP_X)
#undef TP_X
    tp_fields_close(e, '{');
}

void tp_full_put_time(struct tp_emit *e, const struct tp_timeline *t)
{
    tp_fields_open_line(e, "timeline", '{');
    if (e->csv == NULL)
        tp_field_wide(e, "bucket_ns", width_of(t));
    tp_fields_set_csv(e, "gauge", "");
    tp_fields_open(e, "gauges", '[');
#define TP_X(gauge, type, key) put_gauge(e, key, &t->gauges[TP_GAUGE_##gauge]);
    TP_GAUGES(TP_X)
#undef TP_X
    tp_fields_close(e, '[');
    tp_fields_set_csv(e, "time", "");
    tp_fields_open(e, "buckets", '[');
    for (uint32_t i = 0; i < t->buckets.count; i++)
        put_bucket(e, i * width_of(t), &t->buckets.items[i]);
    tp_fields_close(e, '[');
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

static const struct tp_column columns[] = {
    {"runnable", 9}, {"running", 9}, {"syscall", 9}, {"blocked", 9}, {"alive", 9},
    {"heap", 9},     {"goal", 9},    {"Ps used", 9}, {"of", 9},      {"used", 9},
};
static const struct tp_table table = {columns, TP_ARRAY_LEN(columns), 10, 1, 1, NULL};

static void print_row(struct tp_emit *e, uint64_t begin_ns, const struct tp_timeline_bucket *b)
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
        human_bytes(b, TP_LEVEL_GOAL, TP_LEVEL_GOAL_KNOWN),
        human_mean(sum_of(b, TP_LEVEL_PROCS), ns),
        human_mean(sum_of(b, TP_LEVEL_GOMAXPROCS), sum_of(b, TP_LEVEL_GOMAXPROCS_KNOWN)),
        tp_human_share(used, all),
    };
    tp_cell_spaces(e, 1);
    tp_cell_figure(e, tp_human_ns(begin_ns), 9);
    tp_table_cells(e, &table, cells, all > 0 ? TP_ARRAY_LEN(cells) : TP_ARRAY_LEN(cells) - 1);
    if (all > 0 && used >= all / BAR_COLUMNS) {
        tp_cell_spaces(e, 2);
        tp_cell_bar(e, used, all, BAR_COLUMNS);
    }
    tp_emit_text(e, "\n");
}

static void print_gauges(struct tp_emit *e, const struct tp_timeline *t)
{
    const struct tp_gauge *procs = &t->gauges[TP_GAUGE_GOMAXPROCS];
    const struct tp_gauge *heap = &t->gauges[TP_GAUGE_HEAP], *goal = &t->gauges[TP_GAUGE_GOAL];
    if (procs->count > 0 && procs->least == procs->greatest)
        tp_emit_printf(e, "  GOMAXPROCS: always %s\n", tp_human_count(procs->least).text);
    else if (procs->count > 0)
        tp_emit_printf(e, "  GOMAXPROCS: %s to %s, changed %s time%s\n",
                       tp_human_count(procs->least).text, tp_human_count(procs->greatest).text,
                       tp_human_count(procs->change_count).text,
                       tp_plural(procs->change_count));
    if (heap->count > 0)
        tp_emit_printf(e, "  heap: at most %s\n", tp_human_bytes(heap->greatest).text);
    if (goal->count > 0)
        tp_emit_printf(e, "  heap goal: at most %s\n", tp_human_bytes(goal->greatest).text);
}

void tp_full_print_time(struct tp_emit *e, const struct tp_timeline *t)
{
    uint32_t count = t->buckets.count, joined = 1;
    if (count == 0)
        return;
    while ((count - 1) / joined >= TEXT_ROWS_MAX)
        joined *= 2;
    tp_table_begin(e, &table, "over time");
    for (uint32_t i = 0; i < count; i += joined) {
        struct tp_timeline_bucket row = {0};
        for (uint32_t k = i; k < count && k < i + joined; k++)
            tp_timeline_add_bucket(&row, &t->buckets.items[k]);
        print_row(e, i * width_of(t), &row);
    }
    print_gauges(e, t);
}
