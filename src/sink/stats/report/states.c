// The states of all goroutines of a report together: the sum of the rows of all functions.
#include "base/alloc.h"
#include "sink/stats/report/report.h"
#include "stats/names/wait_reasons.h"

static bool is_empty(const struct tp_dist *d)
{
    return d->count == 0 && d->cut == NULL;
}

// Adds the rows of goroutines to `dists`, by measure. False: no memory.
static bool add_rows(const struct tp_full_report *r, struct tp_dist *dists)
{
    for (size_t i = 0; i < r->goroutine_row_count; i++) {
        if (!tp_dist_merge(&dists[r->rows[i].measure], r->rows[i].dist))
            return false;
    }
    return true;
}

static size_t measure_count_of(const struct tp_totals *totals)
{
    return TP_MEASURE_FIRST_BLOCK + (size_t)totals->reasons.count + 1; // with that of no reason
}

int tp_full_make_states(struct tp_full_report *r, enum tp_stats_sort sort, struct tp_error *err)
{
    struct tp_full_states *all = &r->states;
    size_t most = measure_count_of(r->totals);
    all->dists = tp_alloc_zero(most * sizeof *all->dists);
    all->rows = tp_alloc_array(most, sizeof *all->rows);
    all->items = tp_alloc_array(most, sizeof *all->items);
    if (all->dists == NULL || all->rows == NULL || all->items == NULL || !add_rows(r, all->dists))
        return tp_fail(err, TP_E_MEMORY, "out of memory for the states of all goroutines");
    for (uint32_t measure = 0; measure < most; measure++) {
        struct tp_full_row row = {
            .dist = &all->dists[measure],
            .space = TP_SPACE_GOROUTINE,
            .measure = measure,
            .group = tp_span_of("", 0),
            .measure_name = tp_full_measure_name(r->totals, TP_SPACE_GOROUTINE, measure),
        };
        row.is_inferred = tp_is_inferred(row.measure_name);
        if (!is_empty(row.dist))
            all->rows[all->count++] = row;
    }
    tp_full_sort_rows(all->rows, all->count, sort);
    for (size_t i = 0; i < all->count; i++)
        all->items[i] = &all->rows[i];
    return 0;
}

void tp_full_free_states(struct tp_full_report *r)
{
    struct tp_full_states *all = &r->states;
    for (size_t i = 0; all->dists != NULL && i < measure_count_of(r->totals); i++)
        tp_dist_fini(&all->dists[i]);
    tp_free(all->dists);
    tp_free(all->rows);
    tp_free(all->items);
}
