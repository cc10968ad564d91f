// Goroutines by state, Ps in use, and the heap, over time; in all formats but FOLDED.
#include <inttypes.h>

#include "sink/stats/cells.h"
#include "sink/stats/print.h"

#define TEXT_ROWS_MAX 24
#define CELL_COLUMNS 10
#define BAR_COLUMNS 20

// Printed figures of a gauge. X(field, key)
#define GAUGE_FIGURES(X)                                                                \
    X(count, "told")                                                                    \
    X(change_count, "changes")                                                          \
    X(least, "least")                                                                   \
    X(greatest, "greatest")

// Printed figures of a bucket: times, sums of level times ns, or the mean over the time in which
// the level is known. X(key, value)
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

// Mean of a level times `scale`, rounded down; 0 if the time is 0.
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

// JSON

static void print_gauge_json(struct tp_emit *e, const char *key, const struct tp_gauge *g)
{
    tp_emit_printf(e, ",\"%s\":{", key);
    const char *between = "";
#define TP_X(field, name)                                                               \
    tp_emit_printf(e, "%s\"" name "\":%" PRIu64, between, g->field);                    \
    between = ",";
    GAUGE_FIGURES(TP_X)
#undef TP_X
    (void)between;
    tp_emit_text(e, "}");
}

void tp_full_print_time_json(struct tp_emit *e, const struct tp_timeline *t)
{
    tp_emit_printf(e, ",\n\"timeline\":{\"bucket_ns\":%" PRIu64, width_of(t));
#define TP_X(gauge, type, key) print_gauge_json(e, key, &t->gauges[TP_GAUGE_##gauge]);
    TP_GAUGES(TP_X)
#undef TP_X
    tp_emit_text(e, ",\"buckets\":[");
    for (uint32_t i = 0; i < t->buckets.count; i++) {
        const struct tp_timeline_bucket *b = &t->buckets.items[i];
        tp_emit_printf(e, "%s\n{\"begin_ns\":%" PRIu64, i > 0 ? "," : "", i * width_of(t));
#define TP_X(key, value) tp_emit_printf(e, ",\"" key "\":%s", tp_wide_text(value).text);
        FIGURES(TP_X)
#undef TP_X
        tp_emit_text(e, "}");
    }
    tp_emit_text(e, "]}");
}

// CSV

static void print_gauge_csv(struct tp_emit *e, const char *key, const struct tp_gauge *g)
{
#define TP_X(field, name) \
    tp_emit_printf(e, "gauge,%s,," name ",%" PRIu64 ",,,,,,,,\n", key, g->field);
    GAUGE_FIGURES(TP_X)
#undef TP_X
}

void tp_full_print_time_csv(struct tp_emit *e, const struct tp_timeline *t)
{
#define TP_X(gauge, type, key) print_gauge_csv(e, key, &t->gauges[TP_GAUGE_##gauge]);
    TP_GAUGES(TP_X)
#undef TP_X
    for (uint32_t i = 0; i < t->buckets.count; i++) {
        const struct tp_timeline_bucket *b = &t->buckets.items[i];
#define TP_X(key, value)                                                                \
    tp_emit_printf(e, "time,%" PRIu64 ",," key ",%s,,,,,,,,\n", i * width_of(t),          \
                   tp_wide_text(value).text);
        FIGURES(TP_X)
#undef TP_X
    }
}

// TEXT

static void print_cell(struct tp_emit *e, struct tp_human h)
{
    tp_cell_figure(e, h, CELL_COLUMNS - 1);
}

static struct tp_human unknown(void)
{
    return (struct tp_human){"-", 1};
}

// A mean as text, such as "3.4" or "1,234".
static struct tp_human human_mean(tp_wide sum, tp_wide ns)
{
    if (ns == 0)
        return unknown();
    uint64_t tenths = tp_wide_ratio(sum, 10, ns);
    if (tenths >= 10000)
        return tp_human_count(tenths / 10 + (tenths % 10 >= 5));
    struct tp_human h = tp_human_count(tenths / 10);
    h.text[h.columns++] = '.';
    h.text[h.columns++] = (char)('0' + tenths % 10);
    h.text[h.columns] = '\0';
    return h;
}

static void print_bytes(struct tp_emit *e, const struct tp_timeline_bucket *b, enum tp_level level,
                        enum tp_level known)
{
    print_cell(e, sum_of(b, known) > 0 ? tp_human_bytes(mean_of(b, level, known, 1)) : unknown());
}

static void print_row(struct tp_emit *e, uint64_t begin_ns, const struct tp_timeline_bucket *b)
{
    tp_wide ns = sum_of(b, TP_LEVEL_COVERED);
    print_cell(e, tp_human_ns(begin_ns));
    print_cell(e, human_mean(sum_of(b, TP_LEVEL_RUNNABLE), ns));
    print_cell(e, human_mean(sum_of(b, TP_LEVEL_RUNNING), ns));
    print_cell(e, human_mean(sum_of(b, TP_LEVEL_SYSCALL), ns));
    print_cell(e, human_mean(sum_of(b, TP_LEVEL_BLOCKED), ns));
    print_cell(e, human_mean(alive(b), ns));
    print_bytes(e, b, TP_LEVEL_HEAP, TP_LEVEL_HEAP_KNOWN);
    print_bytes(e, b, TP_LEVEL_GOAL, TP_LEVEL_GOAL_KNOWN);
    print_cell(e, human_mean(sum_of(b, TP_LEVEL_PROCS), ns));
    print_cell(e, human_mean(sum_of(b, TP_LEVEL_GOMAXPROCS), sum_of(b, TP_LEVEL_GOMAXPROCS_KNOWN)));
    uint64_t used = mean_of(b, TP_LEVEL_PROCS, TP_LEVEL_COVERED, 1000);
    uint64_t all = mean_of(b, TP_LEVEL_GOMAXPROCS, TP_LEVEL_GOMAXPROCS_KNOWN, 1000);
    if (all > 0) {
        print_cell(e, tp_human_share(used, all));
        if (used >= all / BAR_COLUMNS) {
            tp_cell_spaces(e, 2);
            tp_cell_bar(e, used, all, BAR_COLUMNS);
        }
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
    static const char *const heads[] = {"runnable", "running", "syscall", "blocked",   "alive",
                                        "heap",     "goal",    "Ps used", "of",        "used"};
    uint32_t count = t->buckets.count, joined = 1;
    if (count == 0)
        return;
    while ((count - 1) / joined >= TEXT_ROWS_MAX)
        joined *= 2;
    tp_cell_title(e, "over time", CELL_COLUMNS);
    for (unsigned i = 0; i < TP_ARRAY_LEN(heads); i++)
        tp_cell_head(e, heads[i], CELL_COLUMNS - 1);
    tp_emit_text(e, "\n");
    for (uint32_t i = 0; i < count; i += joined) {
        struct tp_timeline_bucket row = {0};
        for (uint32_t k = i; k < count && k < i + joined; k++)
            tp_timeline_add_bucket(&row, &t->buckets.items[k]);
        print_row(e, i * width_of(t), &row);
    }
    print_gauges(e, t);
}
