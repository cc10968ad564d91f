// The share of time that the garbage collector left to the program, and the time it took, in the
// three formats of `stats:level=full`.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "sink/stats/cells.h"
#include "sink/stats/print.h"
#include "stats/collector_name.h"

#define WHOLE_PPM 1000000

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

// Running times of the whole run, as for the windows; the report's rows have only the requested
// functions.
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

static unsigned window_count_of(const struct tp_utilisation *u)
{
    return u->file_count > 0 ? TP_UTIL_WINDOW_COUNT : 0;
}

// TEXT

static void print_name(struct tp_emit *e, const char *name)
{
    tp_cell_name(e, tp_span_of(name, strlen(name)), "");
}

static void print_left(struct tp_emit *e, const struct tp_utilisation *u)
{
    tp_cell_title(e, "garbage collection: left to the program", TP_TITLE_COLUMNS);
#define TP_X(figure, share, key, head) tp_cell_head(e, head, TP_FIGURE_COLUMNS);
    TP_UTIL_FIGURES(TP_X)
#undef TP_X
    tp_emit_text(e, "\n");
    for (unsigned w = 0; w < window_count_of(u); w++) {
        char name[TP_NAME_COLUMNS];
        snprintf(name, sizeof name, "in any %s", tp_util_windows[w].head);
        print_name(e, name);
        for (unsigned f = 0; f < tp_util_windows[w].figure_count; f++)
            tp_cell_figure(e, tp_human_share(u->least_ppm[w][f], WHOLE_PPM), TP_FIGURE_COLUMNS);
        tp_emit_text(e, "\n");
    }
    if (u->file_count > 0) {
        print_name(e, "on average");
        tp_cell_figure(e, tp_human_share(u->mutator_ns, u->curve_ns), TP_FIGURE_COLUMNS);
        tp_emit_text(e, "\n");
    }
    if (u->left_out_count > 0)
        tp_emit_printf(e, "  without %s trace%s, in which it changed too often\n",
                       tp_human_count(u->left_out_count).text, tp_plural(u->left_out_count));
}

static void print_share(struct tp_emit *e, const char *name, tp_wide ns, tp_wide all_ns)
{
    if (ns == 0)
        return;
    print_name(e, name);
    tp_cell_figure(e, tp_human_ns(ns), TP_FIGURE_COLUMNS);
    tp_cell_figure(e, tp_human_share(ns, all_ns), TP_FIGURE_COLUMNS);
    tp_emit_text(e, "\n");
}

void tp_full_print_utilisation(struct tp_emit *e, const struct tp_full_report *r)
{
    const struct tp_utilisation *u = &r->totals->utilisation;
    const struct running running = running_of(r->totals);
    tp_wide taken_ns = u->assist_ns;
    if (u->mutator_ns < u->curve_ns || u->left_out_count > 0)
        print_left(e, u);
    for (unsigned p = 0; p < TP_COLLECTOR_PART_COUNT; p++)
        taken_ns = tp_wide_add(taken_ns, running.part_ns[p]);
    if (taken_ns == 0)
        return;
    tp_cell_title(e, "garbage collection: share of running time", TP_TITLE_COLUMNS);
    tp_cell_head(e, "time", TP_FIGURE_COLUMNS);
    tp_cell_head(e, "share", TP_FIGURE_COLUMNS);
    tp_emit_text(e, "\n");
    for (unsigned p = 0; p < TP_COLLECTOR_PART_COUNT; p++)
        print_share(e, parts[p].name, running.part_ns[p], running.all_ns);
    print_share(e, "assists", u->assist_ns, running.all_ns);
    print_share(e, "all of it", taken_ns, running.all_ns);
}

// JSON

void tp_full_print_utilisation_json(struct tp_emit *e, const struct tp_full_report *r)
{
    const struct tp_utilisation *u = &r->totals->utilisation;
    const struct running running = running_of(r->totals);
    tp_emit_printf(e, ",\n\"utilisation\":{\"running_ns\":%s", tp_wide_text(running.all_ns).text);
    for (unsigned p = 0; p < TP_COLLECTOR_PART_COUNT; p++)
        tp_emit_printf(e, ",\"%s\":%s", parts[p].key, tp_wide_text(running.part_ns[p]).text);
#define TP_X(field, key) tp_emit_printf(e, ",\"" key "\":%s", tp_wide_text(u->field).text);
    TP_UTIL_COUNTS(TP_X)
    TP_UTIL_TIMES(TP_X)
#undef TP_X
    tp_emit_text(e, ",\"windows\":[");
    for (unsigned w = 0; w < window_count_of(u); w++) {
        tp_emit_printf(e, "%s\n{\"window_ns\":%" PRId64, w > 0 ? "," : "", tp_util_windows[w].ns);
        for (unsigned f = 0; f < tp_util_windows[w].figure_count; f++)
            tp_emit_printf(e, ",\"%s\":%" PRIu32, figure_keys[f], u->least_ppm[w][f]);
        tp_emit_text(e, "}");
    }
    tp_emit_text(e, "]}");
}

// CSV

static void print_row(struct tp_emit *e, const char *key, tp_wide value)
{
    tp_emit_printf(e, "utilisation,,,%s,%s,,,,,,,,\n", key, tp_wide_text(value).text);
}

void tp_full_print_utilisation_csv(struct tp_emit *e, const struct tp_full_report *r)
{
    const struct tp_utilisation *u = &r->totals->utilisation;
    const struct running running = running_of(r->totals);
    print_row(e, "running_ns", running.all_ns);
    for (unsigned p = 0; p < TP_COLLECTOR_PART_COUNT; p++)
        print_row(e, parts[p].key, running.part_ns[p]);
#define TP_X(field, key) print_row(e, key, u->field);
    TP_UTIL_COUNTS(TP_X)
    TP_UTIL_TIMES(TP_X)
#undef TP_X
    for (unsigned w = 0; w < window_count_of(u); w++) {
        const struct tp_util_window_kind *k = &tp_util_windows[w];
        for (unsigned f = 0; f < k->figure_count; f++)
            tp_emit_printf(e, "utilisation,%" PRId64 ",,%s,%" PRIu32 ",,,,,,,,\n", k->ns,
                           figure_keys[f], u->least_ppm[w][f]);
    }
}
