// Goroutines one by one in the report of `stats:level=full`.
#include <inttypes.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "sink/stats/cells.h"
#include "sink/stats/print.h"

static const char *const spent_keys[] = {
#define TP_X(spent, key) key,
    TP_SPENTS(TP_X)
#undef TP_X
};

static int compare(const void *left, const void *right, void *ctx)
{
    return tp_top_goroutine_compare(ctx, *(const struct tp_top_goroutine *const *)left,
                                    *(const struct tp_top_goroutine *const *)right);
}

int tp_full_make_gs(struct tp_full_report *r, struct tp_error *err)
{
    const struct tp_top_goroutines *gs = &r->totals->gs;
    r->gs = tp_alloc_array(gs->heap.count + (size_t)1, sizeof *r->gs);
    if (r->gs == NULL)
        return tp_fail(err, TP_E_MEMORY, "out of memory for a table of goroutines");
    for (uint32_t i = 0; i < gs->heap.count; i++) {
        const struct tp_top_goroutine *g = &gs->heap.items[i];
        if (tp_full_matches(r, tp_intern_text(&r->totals->names, g->function)))
            r->gs[r->g_count++] = g;
    }
    qsort_r(r->gs, r->g_count, sizeof *r->gs, compare, (void *)r->totals);
    return 0;
}

static struct tp_span function_of(const struct tp_full_report *r, const struct tp_top_goroutine *g)
{
    return tp_intern_text(&r->totals->names, g->function);
}

static struct tp_span path_of(const struct tp_full_report *r, const struct tp_top_goroutine *g)
{
    return tp_intern_text(&r->totals->names, g->path);
}

// TEXT

static void print_others(struct tp_emit *e, const struct tp_totals_others *others)
{
    if (others->count == 0)
        return;
    tp_cell_name(e, tp_span_of("(others)", 8), "");
    tp_cell_figure(e, tp_human_count(others->count), TP_COUNT_COLUMNS);
    tp_cell_spaces(e, 2 * (TP_FIGURE_COLUMNS + 1));
    for (unsigned i = 0; i < TP_SPENT_COUNT; i++)
        tp_cell_figure(e, tp_human_ns(others->ns[i]), TP_FIGURE_COLUMNS);
    tp_emit_text(e, "\n");
}

void tp_full_print_gs(struct tp_emit *e, const struct tp_full_report *r)
{
    static const char *const heads[] = {"begins", "lives", "running", "runnable", "syscalls",
                                        "blocked"};
    tp_cell_title(e, "goroutines that ran longest", TP_TITLE_COLUMNS);
    tp_cell_head(e, "id", TP_COUNT_COLUMNS);
    for (size_t i = 0; i < TP_ARRAY_LEN(heads); i++)
        tp_cell_head(e, heads[i], TP_FIGURE_COLUMNS);
    tp_emit_text(e, "  file\n");
    for (size_t i = 0; i < r->g_count && i < r->top; i++) {
        const struct tp_top_goroutine *g = r->gs[i];
        tp_cell_name(e, function_of(r, g), "(no stack seen)");
        tp_emit_printf(e, " %*" PRId64, TP_COUNT_COLUMNS, g->id);
        tp_cell_figure(e, tp_human_ns((uint64_t)g->begin_ns), TP_FIGURE_COLUMNS);
        tp_cell_figure(e, tp_human_ns(g->life_ns), TP_FIGURE_COLUMNS);
        for (unsigned k = 0; k < TP_SPENT_COUNT; k++)
            tp_cell_figure(e, tp_human_ns(g->spent_ns[k]), TP_FIGURE_COLUMNS);
        tp_emit_text(e, "  ");
        tp_cell_text(e, path_of(r, g));
        tp_emit_text(e, "\n");
    }
    tp_cell_more(e, r->g_count, r->top);
    if (r->filter[0] == '\0')
        print_others(e, &r->totals->gs.others);
}

// FOR PROGRAMS

void tp_full_print_gs_json(struct tp_emit *e, const struct tp_full_report *r)
{
    const struct tp_totals_others *others = &r->totals->gs.others;
    bool has_others = r->by == TP_STATS_BY_ALL || r->by == TP_STATS_BY_GOROUTINE;
    tp_emit_text(e, ",\n\"longest\":{\"goroutines\":[");
    for (size_t i = 0; i < r->g_count; i++) {
        const struct tp_top_goroutine *g = r->gs[i];
        tp_emit_text(e, i > 0 ? ",\n{\"file\":" : "\n{\"file\":");
        tp_emit_json_string(e, path_of(r, g));
        tp_emit_printf(e, ",\"id\":%" PRId64 ",\"function\":", g->id);
        tp_emit_json_string(e, function_of(r, g));
        tp_emit_printf(e, ",\"begin_ns\":%" PRId64 ",\"life_ns\":%" PRIu64, g->begin_ns,
                       g->life_ns);
        for (unsigned k = 0; k < TP_SPENT_COUNT; k++)
            tp_emit_printf(e, ",\"%s\":%" PRIu64, spent_keys[k], g->spent_ns[k]);
        tp_emit_text(e, "}");
    }
    tp_emit_printf(e, "],\n\"others\":{\"count\":%" PRIu64, has_others ? others->count : 0);
    for (unsigned k = 0; k < TP_SPENT_COUNT; k++)
        tp_emit_printf(e, ",\"%s\":%s", spent_keys[k],
                       tp_wide_text(has_others ? others->ns[k] : 0).text);
    tp_emit_text(e, "}}");
}

void tp_full_print_gs_csv(struct tp_emit *e, const struct tp_full_report *r)
{
    for (size_t i = 0; i < r->g_count; i++) {
        const struct tp_top_goroutine *g = r->gs[i];
        for (unsigned k = 0; k < TP_SPENT_COUNT; k++) {
            tp_emit_printf(e, "longest,%" PRId64 ",", g->id);
            tp_emit_csv_text(e, path_of(r, g));
            tp_emit_printf(e, ",%s,%" PRIu64 ",,,,,,,,\n", spent_keys[k], g->spent_ns[k]);
        }
    }
}
