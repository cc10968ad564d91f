#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/sort/compare.h"
#include "sink/stats/report/report.h"
#include "stats/file_tasks.h"
#include "stats/names/wait_reasons.h"

#define TOP_DEFAULT 10

#define TP_X(id, name) name,
const char *const tp_space_names[TP_SPACES] = {TP_DURATIONS_SPACES(TP_X)};
const char *const tp_stack_type_names[TP_STACK_TYPE_COUNT] = {TP_STACK_TYPES(TP_X)};
static const char *const measure_names[] = {TP_MEASURES(TP_X)};
#undef TP_X

struct tp_span tp_full_measure_name(const struct tp_totals *s, enum tp_durations_space space,
                                    uint32_t measure)
{
    if (space != TP_SPACE_GOROUTINE)
        return tp_span_of_text("");
    if (measure < TP_MEASURE_FIRST_BLOCK)
        return tp_span_of_text(measure_names[measure]);
    uint32_t reason = measure - TP_MEASURE_FIRST_BLOCK;
    return reason < s->reasons.count ? tp_intern_text(&s->reasons, reason) : tp_span_of_text("");
}

const char *tp_full_name_if_empty(enum tp_durations_space space)
{
    switch (space) {
    case TP_SPACE_GOROUTINE: return "(start function unknown)";
    case TP_SPACE_LOG: return "(no category)";
    case TP_SPACE_TASK:
    case TP_SPACE_FILE_TASK:
    case TP_SPACE_REGION: return "(no name)";
    default: return "all";
    }
}

bool tp_full_is_whole(const struct tp_full_report *r)
{
    return r->by == TP_STATS_BY_ALL && r->filter[0] == '\0';
}

bool tp_full_matches(const struct tp_full_report *r, struct tp_span name)
{
    size_t filter_bytes = strlen(r->filter);
    return filter_bytes == 0 ||
           (name.len_bytes >= filter_bytes &&
            memmem(name.ptr, name.len_bytes, r->filter, filter_bytes) != NULL);
}

// ROWS

static bool is_asked_for(const struct tp_full_report *r, enum tp_durations_space space)
{
    // The tasks of a single file are those of all.
    if (space == TP_SPACE_FILE_TASK && r->totals->files.count < 2)
        return false;
    switch (r->by) {
    case TP_STATS_BY_ALL: return !tp_is_space_of_pairs(space) && space != TP_SPACE_WRAPPED;
    case TP_STATS_BY_FUNCTION: return space == TP_SPACE_GOROUTINE || space == TP_SPACE_PEAK;
    case TP_STATS_BY_TASK: return space == TP_SPACE_TASK || space == TP_SPACE_FILE_TASK;
    case TP_STATS_BY_REGION: return space == TP_SPACE_REGION;
    case TP_STATS_BY_STACK: return space == TP_SPACE_COARSE;
    default: return false;
    }
}

// Returns the rank of a row's measure. All reasons have the same rank, because their numbers depend
// on which reason was seen first. All types of coarse stacks have the same rank, too.
static uint32_t measure_rank(const struct tp_full_row *r)
{
    if (r->space == TP_SPACE_COARSE)
        return 0;
    return r->measure < TP_MEASURE_FIRST_BLOCK ? r->measure : TP_MEASURE_FIRST_BLOCK;
}

tp_wide tp_full_sort_key(const struct tp_dist *d, enum tp_stats_sort sort)
{
    switch (sort) {
    case TP_STATS_SORT_COUNT: return d->count;
    case TP_STATS_SORT_MEAN: return tp_dist_mean_ns(d);
    case TP_STATS_SORT_MAX: return d->max_ns;
    case TP_STATS_SORT_P99: return tp_dist_quantile_ns(d, 990);
    default: return tp_dist_all_ns(d);
    }
}

static int compare_rows(const void *left, const void *right, void *ctx)
{
    const struct tp_full_row *a = left, *b = right;
    enum tp_stats_sort sort = *(const enum tp_stats_sort *)ctx;
    return tp_compare_u64(a->space, b->space)
        ?: tp_compare_u64(measure_rank(a), measure_rank(b))
        ?: tp_compare_wide(tp_full_sort_key(b->dist, sort), tp_full_sort_key(a->dist, sort))
        ?: tp_compare_wide(tp_dist_all_ns(b->dist), tp_dist_all_ns(a->dist))
        ?: tp_compare_u64(b->dist->count, a->dist->count)
        ?: tp_span_compare(a->group, b->group)
        ?: tp_span_compare(a->measure_name, b->measure_name)
        ?: (a->space == TP_SPACE_COARSE ? tp_compare_u64(a->measure, b->measure) : 0);
}

void tp_full_sort_rows(struct tp_full_row *rows, size_t count, enum tp_stats_sort sort)
{
    qsort_r(rows, count, sizeof *rows, compare_rows, &sort);
}

static void find_coarse(struct tp_full_report *r)
{
    size_t end = r->row_count;
    while (end > 0 && r->rows[end - 1].space > TP_SPACE_COARSE)
        end--;
    size_t first = end;
    while (first > 0 && r->rows[first - 1].space == TP_SPACE_COARSE)
        first--;
    r->coarse = r->rows + first;
    r->coarse_count = end - first;
}

// Divides the name of a row into that of the tasks and, in place of a measure, the file.
static void name_file_task(struct tp_full_row *row)
{
    struct tp_file_task of;
    if (tp_file_task_split(row->group, &of)) {
        row->group = of.name;
        row->measure_name = of.path;
    }
}

// Returns the measure of being blocked without a reason; one beyond all others if no wait is recorded so.
static uint32_t unexplained_measure(const struct tp_totals *s)
{
    uint32_t reason = tp_intern_find(&s->reasons, tp_span_of_text(""));
    return TP_MEASURE_FIRST_BLOCK + (reason != TP_INTERN_NONE ? reason : s->reasons.count);
}

static void add_cut(struct tp_dist_cut *into, const struct tp_dist *d)
{
    into->count += tp_dist_cut_count(d);
    into->ns = tp_wide_add(into->ns, tp_dist_cut_ns(d));
}

// Adds the waits of the group whose reason is inferred, which `into` has, to its row without a reason;
// without such a row, adds one. `first`: the group's first row.
static void join_inferred(struct tp_full_report *r, const struct tp_durations_group *g, size_t first,
                          struct tp_full_unexplained *into)
{
    struct tp_full_row row = {.dist = &into->dist,
                              .space = TP_SPACE_GOROUTINE,
                              .measure = unexplained_measure(r->totals),
                              .group = tp_totals_group_name(r->totals, g)};
    size_t at = r->row_count;
    bool is_shown = tp_full_matches(r, row.group);
    for (size_t i = first; i < r->row_count; i++) {
        at = r->rows[i].measure == row.measure ? i : at;
        is_shown = is_shown || r->rows[i].is_inferred;
    }
    if (!is_shown)
        return;
    if (at < r->row_count) {
        into->dist = *r->rows[at].dist;
        add_cut(&into->cut, r->rows[at].dist);
    }
    into->dist.cut = &into->cut;
    r->rows[at] = row;
    r->row_count += at == r->row_count;
}

static int make_rows(struct tp_full_report *r, enum tp_stats_sort sort, bool is_for_programs,
                     struct tp_error *err)
{
    const struct tp_totals *totals = r->totals;
    const struct tp_durations *l = &totals->durations;
    size_t count = 0;
    for (uint32_t i = 0; i < l->groups.count; i++) {
        struct tp_durations_walk walk = {.group = &l->groups.items[i]};
        while (tp_durations_walk_next(&walk))
            count++;
    }
    // A group may get a row without a reason.
    r->rows = tp_alloc_array(count + l->groups.count + 1, sizeof *r->rows);
    if (is_for_programs)
        r->unexplained = tp_alloc_zero((l->groups.count + (size_t)1) * sizeof *r->unexplained);
    if (r->rows == NULL || (is_for_programs && r->unexplained == NULL))
        return tp_fail(err, TP_E_MEMORY, "out of memory for a table of statistics");
    for (uint32_t i = 0; i < l->groups.count; i++) {
        const struct tp_durations_group *g = &l->groups.items[i];
        enum tp_durations_space space = (enum tp_durations_space)g->space;
        struct tp_durations_walk walk = {.group = g};
        size_t first = r->row_count;
        while (is_asked_for(r, space) && tp_durations_walk_next(&walk)) {
            struct tp_full_row row = {
                .dist = walk.dist,
                .breakdown = g->breakdown,
                .space = space,
                .measure = walk.measure,
                .group = tp_totals_group_name(totals, g),
                .measure_name = tp_full_measure_name(totals, space, walk.measure),
            };
            if (space == TP_SPACE_FILE_TASK)
                name_file_task(&row);
            row.is_inferred = space == TP_SPACE_GOROUTINE && tp_is_inferred(row.measure_name);
            if (row.is_inferred && r->unexplained != NULL)
                add_cut(&r->unexplained[i].cut, row.dist);
            if (tp_full_matches(r, row.group) || tp_full_matches(r, row.measure_name))
                r->rows[r->row_count++] = row;
        }
        if (r->unexplained != NULL && r->unexplained[i].cut.count > 0)
            join_inferred(r, g, first, &r->unexplained[i]);
    }
    tp_full_sort_rows(r->rows, r->row_count, sort);
    find_coarse(r);
    return 0;
}

static int compare_functions(const void *left, const void *right)
{
    const struct tp_full_row *a = *(const struct tp_full_row *const *)left;
    const struct tp_full_row *b = *(const struct tp_full_row *const *)right;
    return tp_span_compare(a->group, b->group) ?: (a > b) - (a < b);
}

// Makes the rows of goroutines grouped by function. Call after make_rows.
static int make_functions(struct tp_full_report *r, struct tp_error *err)
{
    while (r->goroutine_row_count < r->row_count &&
           r->rows[r->goroutine_row_count].space == TP_SPACE_GOROUTINE)
        r->goroutine_row_count++;
    r->by_function = tp_alloc_array(r->goroutine_row_count + 1, sizeof *r->by_function);
    if (r->by_function == NULL)
        return tp_fail(err, TP_E_MEMORY, "out of memory for a table of functions");
    for (size_t i = 0; i < r->goroutine_row_count; i++)
        r->by_function[i] = &r->rows[i];
    qsort(r->by_function, r->goroutine_row_count, sizeof *r->by_function, compare_functions);
    return 0;
}

size_t tp_full_function_rows(const struct tp_full_report *r, size_t first)
{
    size_t end = first;
    while (end < r->goroutine_row_count &&
           tp_intern_is_same(r->by_function[first]->group, r->by_function[end]->group))
        end++;
    return end - first;
}

// Returns the largest number of stacks of one type that the report shows.
static size_t stacks_shown(const struct tp_stats_config *config, const struct tp_full_report *r)
{
    switch ((enum tp_stats_format)config->format) {
    case TP_STATS_FORMAT_JSON:
    case TP_STATS_FORMAT_CSV:
    case TP_STATS_FORMAT_FOLDED:
    case TP_STATS_FORMAT_FLAMEGRAPH: return SIZE_MAX;
    default: return r->top;
    }
}

static bool is_for_programs(const struct tp_stats_config *config)
{
    return config->format == TP_STATS_FORMAT_JSON || config->format == TP_STATS_FORMAT_CSV;
}

static enum tp_full_look look_of(const struct tp_stats_config *config)
{
    switch ((enum tp_stats_format)config->format) {
    case TP_STATS_FORMAT_AUTO:
    case TP_STATS_FORMAT_TEXT: return TP_FULL_LOOK_TEXT;
    case TP_STATS_FORMAT_CSV: return TP_FULL_LOOK_CSV;
    case TP_STATS_FORMAT_FOLDED: return TP_FULL_LOOK_FOLDED;
    default: return TP_FULL_LOOK_JSON;
    }
}

// Makes the flames of all types. Call after the steps that make coarse rows and stacks.
static int make_flames(struct tp_full_report *r, struct tp_error *err)
{
    int rc = 0;
    for (unsigned type = 0; type < TP_FLAME_COUNT && rc == 0; type++)
        rc = tp_flame_make(r, type, &r->flames[type], err);
    return rc;
}

// Whether the report shows files, or their paths without the folder that all have in common.
static bool needs_files(const struct tp_stats_config *config)
{
    switch ((enum tp_stats_by)config->by) {
    case TP_STATS_BY_ALL:
    case TP_STATS_BY_FINDING:
    case TP_STATS_BY_FILE: return true;
    case TP_STATS_BY_TASK: return look_of(config) == TP_FULL_LOOK_TEXT;
    default: return false;
    }
}

// Returns the number of rows of a table. Findings are all shown unless the user limits them.
static size_t top_of(const struct tp_stats_config *config)
{
    if (config->top < 0)
        return config->by == TP_STATS_BY_FINDING ? SIZE_MAX : TOP_DEFAULT;
    return config->top > 0 ? (size_t)config->top : SIZE_MAX;
}

// Whether the report has the table.
static bool has(const struct tp_full_report *r, enum tp_stats_by table)
{
    return r->by == TP_STATS_BY_ALL || r->by == table;
}

int tp_full_report_make(const struct tp_stats_config *config, const struct tp_totals *totals,
                        struct tp_full_report *ret_report, struct tp_error *err)
{
    *ret_report = (struct tp_full_report){
        .totals = totals,
        .by = (enum tp_stats_by)config->by,
        .screen = {.columns = TP_SCREEN_COLUMNS},
        .filter = config->filter,
        .measure = config->measure,
        .has_pcs = config->pc,
        .has_histograms = config->histograms,
        .has_detail = config->detail,
        .joins_idle = !config->idle && !is_for_programs(config),
        .top = top_of(config),
    };
    struct tp_full_report *r = ret_report;
    enum tp_stats_sort sort = (enum tp_stats_sort)config->sort;
    int rc = make_rows(r, sort, is_for_programs(config), err);
    if (rc == 0)
        rc = make_functions(r, err);
    if (rc == 0 && has(r, TP_STATS_BY_FUNCTION))
        rc = tp_full_make_wrapped(r, err);
    if (rc == 0 && config->format == TP_STATS_FORMAT_JSON)
        rc = tp_full_make_states(r, sort, err);
    if (rc == 0 && has(r, TP_STATS_BY_STACK))
        rc = tp_full_make_stacks(r, look_of(config), stacks_shown(config, r), err);
    if (rc == 0 && has(r, TP_STATS_BY_WAKER))
        rc = tp_full_make_wakers(r, look_of(config), sort, err);
    if (rc == 0 && config->format == TP_STATS_FORMAT_FLAMEGRAPH)
        rc = make_flames(r, err);
    if (rc == 0 && has(r, TP_STATS_BY_FUNCTION))
        rc = tp_full_make_samples(r, err);
    if (rc == 0 && needs_files(config))
        rc = tp_full_make_files(r, err);
    if (rc == 0 && has(r, TP_STATS_BY_FILE))
        rc = tp_full_make_refused(r, err);
    if (rc == 0 && has(r, TP_STATS_BY_GOROUTINE))
        rc = tp_full_make_gs(r, err);
    if (rc == 0 && has(r, TP_STATS_BY_TASK))
        rc = tp_full_make_slow(r, TP_SLOW_TASK, err);
    if (rc == 0 && has(r, TP_STATS_BY_REGION))
        rc = tp_full_make_slow(r, TP_SLOW_REGION, err);
    if (rc == 0)
        rc = tp_full_make_doubtful(r, err);
    if (rc == 0)
        rc = tp_fleet_make(totals, &r->fleet, err);
    if (rc == 0 && tp_full_is_whole(r))
        rc = tp_differs_make(totals, &r->differs, err);
    if (rc == 0 && r->by == TP_STATS_BY_FINDING)
        rc = tp_details_make(totals, &r->fleet, &r->details, err);
    if (rc != 0)
        tp_full_report_fini(r);
    return rc;
}

int tp_full_report_set_baseline(struct tp_full_report *r, const struct tp_stats_config *config,
                                const struct tp_totals *totals, struct tp_error *err)
{
    r->baseline = tp_alloc_zero(sizeof *r->baseline);
    if (r->baseline == NULL)
        return tp_fail(err, TP_E_MEMORY, "out of memory for a report");
    int rc = tp_full_report_make(config, totals, r->baseline, err);
    if (rc != 0 || config->format != TP_STATS_FORMAT_FLAMEGRAPH)
        return rc;
    for (unsigned type = 0; type < TP_FLAME_COUNT; type++)
        tp_flame_fini(&r->flames[type]);
    return make_flames(r, err);
}

void tp_full_report_fini(struct tp_full_report *r)
{
    tp_free(r->rows);
    tp_free(r->unexplained);
    tp_free(r->wrapped);
    tp_free(r->by_function);
    tp_full_free_states(r);
    for (unsigned type = 0; type < TP_STACK_TYPE_COUNT; type++) {
        for (size_t i = 0; i < r->stacks[type].count; i++)
            tp_full_free_times(&r->stacks[type].items[i]);
        tp_full_free_times(&r->stacks[type].idle);
        tp_free(r->stacks[type].items);
    }
    for (unsigned type = 0; type < TP_FLAME_COUNT; type++)
        tp_flame_fini(&r->flames[type]);
    tp_full_free_wakers(r);
    tp_free(r->samples);
    tp_free(r->files);
    tp_free(r->refused);
    tp_free(r->gs);
    for (unsigned kind = 0; kind < TP_SLOW_KIND_COUNT; kind++)
        tp_free(r->slow[kind].items);
    tp_free(r->files_by_running);
    tp_free(r->kinds_found);
    tp_free(r->doubtful);
    tp_details_fini(&r->details);
    tp_fleet_fini(&r->fleet);
    tp_differs_fini(&r->differs);
    tp_versus_fini(&r->versus);
    if (r->baseline != NULL)
        tp_full_report_fini(r->baseline);
    tp_free(r->baseline);
    *r = (struct tp_full_report){0};
}
