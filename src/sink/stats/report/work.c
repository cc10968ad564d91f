// The work of the program on the first screen: its tasks or, if it has none, its goroutines by start
// function. For each row how many there were, how long they took, and where their time went.
#include "sink/stats/report/parts.h"

// Columns that are kept for where the time went: one state with its share.
#define SHARES_COLUMNS 20
#define SHARES_INDENT 2
// A narrower screen has no room for names beside the figures.
#define COLUMNS_LEAST 60

static const char tasks_title[] = "tasks";
static const char functions_title[] = "start functions";
static const struct tp_column columns[] = {TP_COLUMN("count", 10), TP_FIGURES("p50"), TP_FIGURES("p99")};
static const struct tp_table table = TP_TABLE_OF_NAMES(columns, NULL, SHARES_COLUMNS);

static bool has_tasks(const struct tp_full_report *r)
{
    for (size_t i = 0; i < r->row_count; i++) {
        if (r->rows[i].space == TP_SPACE_TASK)
            return true;
    }
    return false;
}

// Whether the row stands for a row of this part. Functions of goroutines that never ran have none.
static bool is_work(const struct tp_full_row *row, bool of_tasks)
{
    if (of_tasks)
        return row->space == TP_SPACE_TASK;
    return row->space == TP_SPACE_GOROUTINE && row->measure == TP_MEASURE_RUN &&
           !tp_full_is_housekeeping(row->group);
}

static enum tp_class class_of(const struct tp_full_row *row)
{
    switch (row->measure) {
    case TP_MEASURE_RUN: return TP_CLASS_RUNNING;
    case TP_MEASURE_SCHED: return TP_CLASS_RUNNABLE;
    case TP_MEASURE_SYSCALL: return TP_CLASS_SYSCALL;
    default: return tp_class_of_reason(row->measure_name);
    }
}

// Adds up the time of the goroutines of a function by class, and sets *ret_lives to the distribution of
// their lives. NULL: there is none.
static struct tp_breakdown_sum sum_of_function(const struct tp_full_report *r, struct tp_span name,
                                               const struct tp_dist **ret_lives)
{
    struct tp_breakdown_sum sum = {0};
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
    }
    return sum;
}

static struct tp_breakdown_sum sum_of(const struct tp_full_report *r, const struct tp_full_row *row,
                                      const struct tp_dist **ret_dist)
{
    *ret_dist = row->dist;
    if (row->space == TP_SPACE_GOROUTINE)
        return sum_of_function(r, row->group, ret_dist);
    return row->breakdown != NULL ? tp_breakdown_part_of(row->breakdown, TP_BREAKDOWN_ALL)
                                  : (struct tp_breakdown_sum){0};
}

static void print_row(struct tp_emit *e, const struct tp_full_report *r, const struct tp_table *t,
                      const struct tp_full_row *row)
{
    static const struct tp_dist nothing;
    const struct tp_dist *dist;
    const struct tp_breakdown_sum sum = sum_of(r, row, &dist);
    if (dist == NULL)
        dist = &nothing;
    const struct tp_human cells[] = {tp_human_count(tp_dist_all_count(dist)),
                                     tp_full_human_quantile(dist, 500),
                                     tp_full_human_quantile(dist, 990)};
    tp_table_row(e, t, tp_full_row_name(row), tp_full_name_if_empty(row->space), cells);
    unsigned room = tp_table_last_room(e, t, t->count) + SHARES_INDENT;
    tp_full_print_shares(e, r, &sum, r->screen.columns > room ? r->screen.columns - room : 0);
}

size_t tp_full_work_count(const struct tp_full_report *r)
{
    bool of_tasks = has_tasks(r);
    size_t count = 0;
    if (r->screen.columns < COLUMNS_LEAST)
        return 0;
    for (size_t i = 0; i < r->row_count; i++)
        count += is_work(&r->rows[i], of_tasks);
    return count;
}

unsigned tp_full_work_head(const struct tp_full_report *r)
{
    return tp_table_begin_lines(&table, functions_title, r->screen.columns);
}

void tp_full_print_work(struct tp_emit *e, const struct tp_full_report *r, size_t most)
{
    bool of_tasks = has_tasks(r);
    struct tp_table t = table;
    size_t end = 0;
    for (size_t count = 0; end < r->row_count && count < most; end++) {
        if (!is_work(&r->rows[end], of_tasks))
            continue;
        tp_table_expect_name(&t, tp_full_row_name(&r->rows[end]),
                             tp_full_name_if_empty(r->rows[end].space));
        count++;
    }
    if (most == 0)
        return;
    tp_table_begin(e, &t, of_tasks ? tasks_title : functions_title);
    for (size_t i = 0; i < end; i++) {
        if (is_work(&r->rows[i], of_tasks))
            print_row(e, r, &t, &r->rows[i]);
    }
}
