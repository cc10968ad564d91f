// Goroutines whose start function is a wrapper, such as testing.tRunner, by the function of the program that
// it calls (merge/track/wrappers.def).
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sink/stats/report/parts.h"
#include "sink/stats/report/record_fields.h"
#include "stats/file_tasks.h"

static const char *const names[TP_MEASURE_FIRST_BLOCK + 1] = {
#define TP_X(measure, name) [TP_MEASURE_##measure] = name,
    TP_MEASURES(TP_X)
#undef TP_X
    [TP_MEASURE_FIRST_BLOCK] = "blocked",
};

static const struct tp_dist none;

static const struct tp_dist *dist_of(const struct tp_full_wrapped *w, unsigned measure)
{
    return w->dists[measure] != NULL ? w->dists[measure] : &none;
}

static int compare(const void *left, const void *right)
{
    const struct tp_full_wrapped *a = left, *b = right;
    return tp_compare_wide(tp_full_wrapped_ns(b, TP_MEASURE_LIFE), tp_full_wrapped_ns(a, TP_MEASURE_LIFE))
        ?: tp_span_compare(a->function, b->function)
        ?: tp_span_compare(a->wrapper, b->wrapper);
}

static struct tp_full_wrapped wrapped_of(const struct tp_totals *s, const struct tp_durations_group *g)
{
    struct tp_full_wrapped w = {.wrapper = tp_span_of_text(""), .function = tp_totals_group_name(s, g)};
    struct tp_file_task parts;
    if (tp_file_task_split(w.function, &parts)) {
        w.wrapper = parts.path;
        w.function = parts.name;
    }
    for (struct tp_durations_walk walk = {.group = g}; tp_durations_walk_next(&walk);)
        w.dists[walk.measure] = walk.dist;
    return w;
}

int tp_full_make_wrapped(struct tp_full_report *r, struct tp_error *err)
{
    const struct tp_durations *l = &r->totals->durations;
    r->wrapped = tp_alloc_array(l->groups.count + (size_t)1, sizeof *r->wrapped);
    if (r->wrapped == NULL)
        return tp_fail(err, TP_E_MEMORY, "out of memory for a table of goroutines");
    for (uint32_t i = 0; i < l->groups.count; i++) {
        const struct tp_durations_group *g = &l->groups.items[i];
        if (g->space != TP_SPACE_WRAPPED || g->dist_count == 0)
            continue;
        const struct tp_full_wrapped w = wrapped_of(r->totals, g);
        if (tp_full_matches(r, w.wrapper) || tp_full_matches(r, w.function))
            r->wrapped[r->wrapped_count++] = w;
    }
    qsort(r->wrapped, r->wrapped_count, sizeof *r->wrapped, compare);
    return 0;
}

struct tp_breakdown_sum tp_full_wrapped_sum(const struct tp_full_wrapped *w)
{
    struct tp_breakdown_sum sum = {0};
    static_assert(TP_MEASURE_SYSCALL == (int)TP_CLASS_SYSCALL, "the first measures are classes");
    for (unsigned i = 0; i < TP_CLASS_COUNTED; i++)
        sum.ns[i] = tp_full_wrapped_ns(w, i < TP_CLASS_FIRST_BLOCK ? i : TP_MEASURE_BLOCKED_BY(i));
    return sum;
}

// TEXT

static const struct tp_column columns[] = {
    TP_COUNTS("count"),     TP_RANKED("p50", 5),      TP_RANKED("p99", 6),     TP_FIGURES("lifetime"),
    TP_RANKED("running", 1), TP_RANKED("runnable", 3), TP_RANKED("syscalls", 4), TP_RANKED("blocked", 2),
};
static const struct tp_table table = TP_TABLE_OF_NAMES(columns, "start function", 22);

void tp_full_print_wrapped(struct tp_emit *e, const struct tp_full_report *r)
{
    struct tp_table made = table;
    if (r->wrapped_count == 0)
        return;
    for (size_t i = 0; i < r->wrapped_count && i < r->top; i++)
        tp_table_expect_name(&made, r->wrapped[i].function, "");
    tp_table_begin(e, &made, "goroutines by function below the start function");
    for (size_t i = 0; i < r->wrapped_count && i < r->top; i++) {
        const struct tp_full_wrapped *w = &r->wrapped[i];
        const struct tp_dist *life = dist_of(w, TP_MEASURE_LIFE);
        const struct tp_human cells[] = {
            tp_human_count(tp_dist_all_count(life)),
            tp_full_human_quantile(life, 500),
            tp_full_human_quantile(life, 990),
            tp_human_ns(tp_dist_all_ns(life)),
            tp_human_ns(tp_full_wrapped_ns(w, TP_MEASURE_RUN)),
            tp_human_ns(tp_full_wrapped_ns(w, TP_MEASURE_SCHED)),
            tp_human_ns(tp_full_wrapped_ns(w, TP_MEASURE_SYSCALL)),
            tp_human_ns(tp_full_wrapped_ns(w, TP_MEASURE_FIRST_BLOCK)),
        };
        tp_table_row(e, &made, w->function, "", cells);
        tp_table_last(e, &made, made.count, w->wrapper);
    }
    tp_table_more(e, r->wrapped_count, r->top);
}

// FOR PROGRAMS

void tp_full_put_wrapped(struct tp_emit *e, const struct tp_full_report *r)
{
    tp_fields_open_line(e, "wrapped_functions", '[');
    for (size_t i = 0; i < r->wrapped_count; i++) {
        const struct tp_full_wrapped *w = &r->wrapped[i];
        tp_fields_open_line(e, NULL, '{');
        tp_field_span(e, "start_function", w->wrapper);
        tp_field_span(e, "function", w->function);
        for (unsigned measure = 0; measure <= TP_MEASURE_FIRST_BLOCK; measure++) {
            tp_fields_open(e, names[measure], '{');
            tp_full_put_dist(e, r, dist_of(w, measure));
            tp_fields_close(e, '{');
        }
        tp_fields_open(e, "blocked_by", '{');
        for (unsigned k = TP_CLASS_FIRST_BLOCK; k < TP_CLASS_COUNTED; k++)
            tp_field_wide(e, tp_full_class_key(k), tp_full_wrapped_ns(w, TP_MEASURE_BLOCKED_BY(k)));
        tp_fields_close(e, '{');
        tp_fields_close(e, '{');
    }
    tp_fields_close(e, '[');
}

// Puts a row of the time blocked by a class, if there is any. The measure is the key without "_ns".
static void put_class_csv(struct tp_emit *e, const struct tp_full_wrapped *w, enum tp_class class)
{
    const struct tp_dist *d = dist_of(w, TP_MEASURE_BLOCKED_BY(class));
    const char *key = tp_full_class_key(class);
    if (d->count == 0)
        return;
    tp_emit_printf(e, "%s,", tp_space_names[TP_SPACE_WRAPPED]);
    tp_emit_csv_text(e, w->function);
    tp_emit_text(e, ",");
    tp_emit_csv_text(e, w->wrapper);
    tp_emit_printf(e, ",blocked_%.*s,%llu,%s,,,,,,,\n", (int)strlen(key) - 3, key,
                   (unsigned long long)d->count, tp_wide_text(d->total_ns).text);
}

void tp_full_put_wrapped_csv(struct tp_emit *e, const struct tp_full_report *r)
{
    for (size_t i = 0; i < r->wrapped_count; i++) {
        const struct tp_full_wrapped *w = &r->wrapped[i];
        for (unsigned measure = 0; measure <= TP_MEASURE_FIRST_BLOCK; measure++) {
            tp_emit_printf(e, "%s,", tp_space_names[TP_SPACE_WRAPPED]);
            tp_emit_csv_text(e, w->function);
            tp_emit_text(e, ",");
            tp_emit_csv_text(e, w->wrapper);
            tp_emit_printf(e, ",%s", names[measure]);
            tp_full_put_dist_csv(e, dist_of(w, measure));
        }
        for (unsigned k = TP_CLASS_FIRST_BLOCK; k < TP_CLASS_COUNTED; k++)
            put_class_csv(e, w, k);
    }
}
