// The work of the program on the first screen: its tasks or, if it has none, its goroutines by start
// function. For each row how many there were, how long they took, and where their time went.
#include <string.h>

#include "sink/stats/report/parts.h"
#include "stats/names/wait_reasons.h"

// Columns of the figures with what is between them; and those that are kept for where the time went, at
// least: one state with its share.
#define FIGURES_COLUMNS 36
#define SHARES_COLUMNS 20
#define SHARES_INDENT 2
// A narrower screen has no room for names beside the figures.
#define COLUMNS_LEAST 60
// No screen shows more rows.
#define WORK_MOST 8

static const char tasks_title[] = "tasks";
static const char functions_title[] = "start functions";
static const struct tp_column columns[] = {TP_COLUMN("count", 10), TP_FIGURES("p50"), TP_FIGURES("p99")};
static const struct tp_table table = TP_TABLE_OF_NAMES(columns, NULL, SHARES_COLUMNS);

bool tp_full_has_tasks(const struct tp_full_report *r)
{
    for (size_t i = 0; i < r->row_count; i++) {
        if (r->rows[i].space == TP_SPACE_TASK)
            return true;
    }
    return false;
}

static bool is_of_program(const struct tp_full_row *row)
{
    return row->space == TP_SPACE_GOROUTINE && !tp_full_is_housekeeping(row->group);
}

// Whether the row stands for a task, or for goroutines of the program that ran.
static bool is_work(const struct tp_full_row *row, bool of_tasks)
{
    return of_tasks ? row->space == TP_SPACE_TASK
                    : is_of_program(row) && row->measure == TP_MEASURE_RUN;
}

// Whether the row stands for goroutines of the program that never ran.
static bool is_waiting(const struct tp_full_report *r, const struct tp_full_row *row)
{
    size_t first = 0, end = r->goroutine_row_count;
    if (!is_of_program(row) || row->measure != TP_MEASURE_LIFE)
        return false;
    while (first < end) {
        size_t middle = first + (end - first) / 2;
        if (tp_span_compare(r->by_function[middle]->group, row->group) < 0)
            first = middle + 1;
        else
            end = middle;
    }
    return r->by_function[first]->measure != TP_MEASURE_RUN;
}

// A row of this part.
struct work {
    struct tp_span name;
    const struct tp_full_row *of;
    const struct tp_full_wrapped *wrapped; // a function that `of` wraps; NULL: `of` itself
};
struct all_work {
    struct work items[WORK_MOST];
    size_t count;
    size_t ran_count; // the others, which come last, never ran
};

static void add(struct all_work *all, struct work work)
{
    if (all->count < WORK_MOST)
        all->items[all->count++] = work;
}

// Adds a row or, in place of a start function that only wraps others, these functions.
static void add_row(struct all_work *all, const struct tp_full_report *r, const struct tp_full_row *row)
{
    size_t before = all->count;
    for (size_t i = 0; i < r->wrapped_count && row->space == TP_SPACE_GOROUTINE; i++) {
        const struct tp_full_wrapped *w = &r->wrapped[i];
        if (tp_span_compare(w->wrapper, row->group) == 0)
            add(all, (struct work){w->function, row, w});
    }
    if (all->count == before)
        add(all, (struct work){tp_full_row_name(row), row, NULL});
}

static void gather(const struct tp_full_report *r, struct all_work *all)
{
    bool of_tasks = tp_full_has_tasks(r);
    all->count = 0;
    for (size_t i = 0; i < r->row_count && all->count < WORK_MOST; i++) {
        if (is_work(&r->rows[i], of_tasks))
            add_row(all, r, &r->rows[i]);
    }
    all->ran_count = all->count;
    for (size_t i = 0; i < r->goroutine_row_count && all->count < WORK_MOST && !of_tasks; i++) {
        if (is_waiting(r, &r->rows[i]))
            add_row(all, r, &r->rows[i]);
    }
}

static enum tp_class class_of(const struct tp_full_row *row)
{
    switch (row->measure) {
    case TP_MEASURE_RUN: return TP_CLASS_RUNNING;
    case TP_MEASURE_SCHED: return TP_CLASS_RUNNABLE;
    case TP_MEASURE_SYSCALL: return TP_CLASS_SYSCALL;
    default:
        return tp_class_of_reason(row->is_inferred ? tp_unmarked(row->measure_name) : row->measure_name);
    }
}

// Adds up the time of the goroutines of a function by class, and sets *ret_lives to the distribution of
// their lives, NULL if there is none, and *ret_note to words about the reasons, or NULL.
static struct tp_breakdown_sum sum_of_function(const struct tp_full_report *r, struct tp_span name,
                                               const struct tp_dist **ret_lives,
                                               const char **ret_note)
{
    struct tp_breakdown_sum sum = {0};
    tp_wide inferred_ns = 0;
    *ret_lives = NULL;
    for (size_t i = 0; i < r->goroutine_row_count; i++) {
        const struct tp_full_row *row = &r->rows[i];
        if (!tp_intern_is_same(row->group, name))
            continue;
        if (row->measure == TP_MEASURE_LIFE) {
            *ret_lives = row->dist;
            continue;
        }
        tp_wide *ns = &sum.ns[class_of(row)];
        *ns = tp_wide_add(*ns, tp_dist_all_ns(row->dist));
        if (row->is_inferred)
            inferred_ns = tp_wide_add(inferred_ns, tp_dist_all_ns(row->dist));
    }
    *ret_note = inferred_ns > tp_breakdown_sum_ns(&sum) / 2 ? " (inferred)" : NULL;
    return sum;
}

static struct tp_breakdown_sum sum_of(const struct tp_full_report *r, const struct tp_full_row *row,
                                      const struct tp_dist **ret_dist, const char **ret_note)
{
    struct tp_breakdown_sum sum = {0};
    if (row->space == TP_SPACE_GOROUTINE)
        return sum_of_function(r, row->group, ret_dist, ret_note);
    if (row->breakdown != NULL)
        sum = tp_breakdown_part_of(row->breakdown, TP_BREAKDOWN_ALL);
    *ret_dist = row->dist;
    *ret_note = tp_full_elsewhere_note(row->space, &sum);
    return sum;
}

static void print_row(struct tp_emit *e, const struct tp_full_report *r, const struct tp_table *t,
                      const struct work *work)
{
    static const struct tp_dist nothing;
    const struct tp_dist *dist;
    const char *note = NULL;
    struct tp_breakdown_sum sum = {0};
    if (work->wrapped != NULL) {
        dist = work->wrapped->dists[TP_MEASURE_LIFE];
        sum = tp_full_wrapped_sum(work->wrapped);
    } else {
        sum = sum_of(r, work->of, &dist, &note);
    }
    if (dist == NULL)
        dist = &nothing;
    const struct tp_human cells[] = {tp_human_count(tp_dist_all_count(dist)),
                                     tp_full_human_quantile(dist, 500),
                                     tp_full_human_quantile(dist, 990)};
    tp_table_row(e, t, work->name, tp_full_name_if_empty(work->of->space), cells);
    unsigned room = tp_table_last_room(e, t, t->count) + SHARES_INDENT;
    tp_full_print_shares(e, r, &sum, r->screen.columns > room ? r->screen.columns - room : 0, note);
}

size_t tp_full_work_count(const struct tp_full_report *r, size_t *ret_waiting)
{
    struct all_work all = {.count = 0};
    if (r->screen.columns >= COLUMNS_LEAST)
        gather(r, &all);
    *ret_waiting = all.count - all.ran_count;
    return all.count;
}

unsigned tp_full_work_head(const struct tp_full_report *r)
{
    return tp_table_begin_lines(&table, functions_title, r->screen.columns);
}

void tp_full_print_work(struct tp_emit *e, const struct tp_full_report *r, size_t most)
{
    struct tp_table t = table;
    struct all_work all;
    gather(r, &all);
    size_t count = most < all.count ? most : all.count;
    if (count == 0)
        return;
    for (size_t i = 0; i < count; i++)
        tp_table_expect_name(&t, all.items[i].name, tp_full_name_if_empty(all.items[i].of->space));
    // The column of shares gets the columns that short names leave free.
    const char *title = tp_full_has_tasks(r) ? tasks_title : functions_title;
    unsigned title_columns = (unsigned)strlen(title);
    unsigned used =
        FIGURES_COLUMNS + (t.longest_name > title_columns ? t.longest_name : title_columns);
    if (r->screen.columns > used + SHARES_COLUMNS)
        t.last_columns = r->screen.columns - used;
    tp_table_begin(e, &t, title);
    for (size_t i = 0; i < count; i++)
        print_row(e, r, &t, &all.items[i]);
}
