// Goroutines one by one in the report of `stats:level=full`.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "sink/stats/report/parts.h"

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
        if (tp_full_matches(r, tp_full_text(r, g->function)))
            r->gs[r->g_count++] = g;
    }
    qsort_r(r->gs, r->g_count, sizeof *r->gs, compare, (void *)r->totals);
    return 0;
}

// TEXT

static const struct tp_column columns[] = {
    TP_COUNTS("id"),          TP_RANKED("start", 5), TP_RANKED("lifetime", 4),
    TP_FIGURES("running"),    TP_RANKED("runnable", 2), TP_RANKED("syscalls", 3),
    TP_RANKED("blocked", 1),
};
static const struct tp_table table = TP_TABLE_OF_NAMES(columns, "trace", 18);
#define FIRST_SPENT (TP_ARRAY_LEN(columns) - TP_SPENT_COUNT)

static void print_others(struct tp_emit *e, const struct tp_totals_others *others)
{
    struct tp_human cells[TP_ARRAY_LEN(columns)] = {tp_human_count(others->count)};
    if (others->count == 0)
        return;
    for (unsigned k = 0; k < TP_SPENT_COUNT; k++)
        cells[FIRST_SPENT + k] = tp_human_ns(others->ns[k]);
    tp_table_row(e, &table, tp_span_of("(others)", 8), "", cells);
    tp_emit_text(e, "\n");
}

static void print_g(struct tp_emit *e, const struct tp_full_report *r,
                    const struct tp_top_goroutine *g)
{
    struct tp_human cells[TP_ARRAY_LEN(columns)] = {
        tp_human_printf("%" PRId64, g->id), tp_human_ns((uint64_t)g->begin_ns),
        tp_human_ns(g->life_ns)};
    for (unsigned k = 0; k < TP_SPENT_COUNT; k++)
        cells[FIRST_SPENT + k] = tp_human_ns(g->spent_ns[k]);
    tp_table_row(e, &table, tp_full_start_name(tp_full_text(r, g->function)), "(start function unknown)", cells);
    tp_table_last(e, &table, table.count, tp_full_text(r, g->path));
}

void tp_full_print_gs(struct tp_emit *e, const struct tp_full_report *r)
{
    tp_table_begin(e, &table, "goroutines with the most running time");
    for (size_t i = 0; i < r->g_count && i < r->top; i++)
        print_g(e, r, r->gs[i]);
    tp_table_more(e, r->g_count, r->top);
    if (r->filter[0] == '\0')
        print_others(e, &r->totals->gs.others);
}

// FOR PROGRAMS

static void put_others_json(struct tp_emit *e, const struct tp_full_report *r)
{
    const struct tp_totals_others *others = &r->totals->gs.others;
    bool has_others = r->by == TP_STATS_BY_ALL || r->by == TP_STATS_BY_GOROUTINE;
    tp_fields_open_line(e, "other_goroutines", '{');
    tp_field_wide(e, "count", has_others ? others->count : 0);
    for (unsigned k = 0; k < TP_SPENT_COUNT; k++)
        tp_field_wide(e, spent_keys[k], has_others ? others->ns[k] : 0);
    tp_fields_close(e, '{');
}

static void put_g(struct tp_emit *e, const struct tp_full_report *r,
                  const struct tp_top_goroutine *g)
{
    char id[24];
    snprintf(id, sizeof id, "%" PRId64, g->id);
    e->csv_kind = tp_full_text(r, g->path);
    tp_fields_open_line(e, NULL, '{');
    tp_fields_name(e, "trace", tp_full_text(r, g->path));
    tp_fields_number(e, "id", id);
    if (e->csv == NULL) {
        tp_field_span(e, "function", tp_full_text(r, g->function));
        tp_field_i64(e, "begin_ns", g->begin_ns);
        tp_field_wide(e, "lifetime_ns", g->life_ns);
    }
    for (unsigned k = 0; k < TP_SPENT_COUNT; k++)
        tp_field_wide(e, spent_keys[k], g->spent_ns[k]);
    tp_fields_close(e, '{');
}

void tp_full_put_gs(struct tp_emit *e, const struct tp_full_report *r)
{
    tp_fields_set_csv(e, "top_goroutine", "");
    tp_fields_open_line(e, "top_goroutines", '[');
    for (size_t i = 0; i < r->g_count; i++)
        put_g(e, r, r->gs[i]);
    tp_fields_close(e, '[');
    if (e->csv == NULL)
        put_others_json(e, r);
}
