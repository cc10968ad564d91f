// The share of time that the garbage collector left to the program, and the time it took, in the
// three formats of `stats:level=full`.
#include <stdio.h>
#include <string.h>

#include "sink/stats/report/parts.h"
#include "stats/names/collector_name.h"

static const struct {
    const char *key, *name;
} parts[TP_COLLECTOR_PART_COUNT] = {
#define TP_X(part, function, key, name) {key, name},
    TP_COLLECTOR_PARTS(TP_X)
#undef TP_X
};

static const char *const figure_keys[TP_UTIL_FIGURE_COUNT] = {
#define TP_X(figure, share, key, head) key,
    TP_UTIL_FIGURES(TP_X)
#undef TP_X
};

struct running {
    tp_wide all_ns;
    tp_wide part_ns[TP_COLLECTOR_PART_COUNT];
};

// Returns how long all goroutines of the totals ran. The report's rows may lack some of these,
// because they have only the functions that the user asked for.
static struct running running_of(const struct tp_totals *totals)
{
    struct running found = {0};
    for (uint32_t i = 0; i < totals->durations.groups.count; i++) {
        const struct tp_durations_group *g = &totals->durations.groups.items[i];
        if (g->space != TP_SPACE_GOROUTINE || TP_MEASURE_RUN >= g->dist_count ||
            g->dists[TP_MEASURE_RUN] == NULL)
            continue;
        tp_wide ns = tp_dist_all_ns(g->dists[TP_MEASURE_RUN]);
        found.all_ns = tp_wide_add(found.all_ns, ns);
        enum tp_collector_part part = tp_collector_part_of(tp_totals_group_name(totals, g));
        if (part != TP_COLLECTOR_PART_COUNT)
            found.part_ns[part] = tp_wide_add(found.part_ns[part], ns);
    }
    return found;
}

struct tp_full_gc_time tp_full_gc_time(const struct tp_totals *totals)
{
    const struct running running = running_of(totals);
    struct tp_full_gc_time time = {totals->utilisation.assist_ns, running.all_ns};
    for (unsigned p = 0; p < TP_COLLECTOR_PART_COUNT; p++)
        time.taken_ns = tp_wide_add(time.taken_ns, running.part_ns[p]);
    return time;
}

static unsigned window_count_of(const struct tp_utilisation *u)
{
    return u->file_count > 0 ? TP_UTIL_WINDOW_COUNT : 0;
}

// TEXT

static void print_row(struct tp_emit *e, const struct tp_table *table, const char *name,
                      const struct tp_human *cells, unsigned count)
{
    tp_table_name(e, table, tp_span_of_text(name), "");
    tp_table_cells(e, table, cells, count);
    tp_emit_text(e, "\n");
}

static const struct tp_column left_columns[] = {
#define TP_X(figure, share, key, head) TP_FIGURES(head),
    TP_UTIL_FIGURES(TP_X)
#undef TP_X
};
static const struct tp_table left_table = TP_TABLE_OF_NAMES(left_columns, NULL, 0);

static void print_left(struct tp_emit *e, const struct tp_utilisation *u)
{
    tp_table_begin(e, &left_table, "mutator utilisation (MMU)");
    for (unsigned w = 0; w < window_count_of(u); w++) {
        const struct tp_util_window_kind *window = &tp_util_windows[w];
        struct tp_human cells[TP_UTIL_FIGURE_COUNT];
        char name[TP_NAME_COLUMNS];
        for (unsigned f = 0; f < window->figure_count; f++)
            cells[f] = tp_human_share(u->least_ppm[w][f], TP_UTIL_WHOLE_PPM);
        snprintf(name, sizeof name, "any %s window", window->head);
        print_row(e, &left_table, name, cells, window->figure_count);
    }
    if (u->file_count > 0)
        print_row(e, &left_table, "average",
                  (struct tp_human[]){tp_human_share(u->mutator_ns, u->curve_ns)}, 1);
    if (u->left_out_count > 0)
        tp_emit_printf(e, "  excluded: %s trace%s with too many changes\n",
                       tp_human_count(u->left_out_count).text, tp_plural(u->left_out_count));
}

static const struct tp_column share_columns[] = {TP_FIGURES("time"),
                                                 TP_FIGURES("share")};
static const struct tp_table share_table = TP_TABLE_OF_NAMES(share_columns, NULL, 0);

static void print_share(struct tp_emit *e, const char *name, tp_wide ns, tp_wide all_ns)
{
    if (ns > 0)
        print_row(e, &share_table, name,
                  (struct tp_human[]){tp_human_ns(ns), tp_human_share(ns, all_ns)}, 2);
}

void tp_full_print_utilisation(struct tp_emit *e, const struct tp_full_report *r)
{
    const struct tp_utilisation *u = &r->totals->utilisation;
    const struct running running = running_of(r->totals);
    tp_wide taken_ns = tp_full_gc_time(r->totals).taken_ns;
    if (u->mutator_ns < u->curve_ns || u->left_out_count > 0)
        print_left(e, u);
    if (taken_ns == 0)
        return;
    tp_table_begin(e, &share_table, "GC: share of running time");
    for (unsigned p = 0; p < TP_COLLECTOR_PART_COUNT; p++)
        print_share(e, parts[p].name, running.part_ns[p], running.all_ns);
    print_share(e, "assists", u->assist_ns, running.all_ns);
    print_share(e, "all GC", taken_ns, running.all_ns);
}

// FOR PROGRAMS

static void put_window(struct tp_emit *e, const struct tp_util_window_kind *window,
                       const uint32_t *least_ppm)
{
    const struct tp_wide_text window_ns = tp_wide_text((uint64_t)window->ns);
    tp_fields_open_line(e, NULL, '{');
    tp_fields_number(e, "window_ns", window_ns.text);
    for (unsigned f = 0; f < window->figure_count; f++)
        tp_field_wide(e, figure_keys[f], least_ppm[f]);
    tp_fields_close(e, '{');
}

void tp_full_put_utilisation(struct tp_emit *e, const struct tp_full_report *r)
{
    const struct tp_utilisation *u = &r->totals->utilisation;
    const struct running running = running_of(r->totals);
    tp_fields_set_csv(e, "utilisation", "");
    tp_fields_open_line(e, "utilisation", '{');
    tp_field_wide(e, "running_ns", running.all_ns);
    for (unsigned p = 0; p < TP_COLLECTOR_PART_COUNT; p++)
        tp_field_wide(e, parts[p].key, running.part_ns[p]);
#define TP_X(field, key) tp_field_wide(e, key, u->field);
    TP_UTIL_COUNTS(TP_X)
    TP_UTIL_TIMES(TP_X)
#undef TP_X
    tp_fields_open(e, "windows", '[');
    for (unsigned w = 0; w < window_count_of(u); w++)
        put_window(e, &tp_util_windows[w], u->least_ppm[w]);
    tp_fields_close(e, '[');
    tp_fields_close(e, '{');
}
