#include "stats/findings/fleet.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/sort/compare.h"
#include "stats/findings/judge.h"
#include "stats/findings/place.h"

// ORDER. All of these compare texts, never numbers of names.

static int compare_figures(const struct tp_found *a, const struct tp_found *b)
{
    int order = tp_compare_u64(a->count, b->count);
    for (size_t i = 0; i < TP_ARRAY_LEN(a->detail) && order == 0; i++)
        order = tp_compare_u64(a->detail[i], b->detail[i]);
    return order
        ?: tp_compare_u64(a->max_ns, b->max_ns)
        ?: tp_compare_wide(a->lost, b->lost)
        ?: tp_compare_u64(a->is_damaged, b->is_damaged)
        ?: tp_compare_u64(a->worst.ns, b->worst.ns)
        ?: tp_compare_u64(a->peak, b->peak)
        ?: tp_compare_u64(a->worst.since_ns, b->worst.since_ns)
        ?: tp_compare_i64(a->worst.wall_ns, b->worst.wall_ns)
        ?: tp_compare_u64(b->is_first, a->is_first);
}

// Orders findings by kind and culprit, then the one with the greatest value first, then by all
// else, so that only equal ones compare as equal.
static int compare_found(const void *left, const void *right, void *ctx)
{
    const struct tp_totals *s = ctx;
    const struct tp_found *a = *(const struct tp_found *const *)left;
    const struct tp_found *b = *(const struct tp_found *const *)right;
    return tp_compare_u64(a->kind, b->kind)
        ?: tp_source_place_compare_functions(s, &a->culprit, &b->culprit)
        ?: tp_compare_u64(b->value_ppm, a->value_ppm)
        ?: tp_totals_compare_texts(s, a->path, b->path)
        ?: tp_source_place_compare(s, &a->culprit, &b->culprit)
        ?: tp_source_place_compare(s, &a->victim, &b->victim)
        ?: tp_source_place_compare(s, &a->other, &b->other)
        ?: compare_figures(a, b);
}

static bool is_same_group(const struct tp_totals *s, const struct tp_found *a,
                          const struct tp_found *b)
{
    return a->kind == b->kind &&
           tp_source_place_compare_functions(s, &a->culprit, &b->culprit) == 0;
}

static int compare_rows(const void *left, const void *right, void *ctx)
{
    const struct tp_totals *s = ctx;
    const struct tp_fleet_row *a = left, *b = right;
    return tp_compare_u64(b->importance_ppm, a->importance_ppm)
        ?: tp_compare_u64(a->kind, b->kind)
        ?: tp_source_place_compare(s, &a->culprit, &b->culprit);
}

// VICTIMS

static int compare_victims(const void *left, const void *right, void *ctx)
{
    const struct tp_share *a = left, *b = right;
    return tp_source_place_compare(ctx, &a->place, &b->place);
}

static int compare_parts(const void *left, const void *right, void *ctx)
{
    const struct tp_share *a = left, *b = right;
    return tp_compare_wide(b->part, a->part) ?: compare_victims(left, right, ctx);
}

// Joins shares of the same function; the place becomes that of the first line.
static void join_victims(struct tp_shares *shares, const struct tp_totals *s)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < shares->count; i++) {
        struct tp_share *last = count > 0 ? &shares->items[count - 1] : NULL;
        if (last != NULL &&
            tp_source_place_compare_functions(s, &last->place, &shares->items[i].place) == 0)
            last->part = tp_wide_add(last->part, shares->items[i].part);
        else
            shares->items[count++] = shares->items[i];
    }
    shares->count = count;
}

static bool set_victims(struct tp_fleet_row *row, const struct tp_totals *s,
                        const struct tp_found *const *found, size_t count)
{
    struct tp_shares shares = {0};
    bool fits = true;
    for (size_t i = 0; i < count && fits; i++)
        fits = tp_shares_add(&shares, &found[i]->victim, found[i]->lost);
    if (fits && shares.count > 0) {
        TP_LIST_SORT_BY(&shares, compare_victims, s);
        join_victims(&shares, s);
        TP_LIST_SORT_BY(&shares, compare_parts, s);
    }
    for (uint32_t i = 0; fits && i < shares.count; i++) {
        if (i < TP_FLEET_VICTIMS)
            row->victims[row->victim_count++] = (struct tp_fleet_victim){
                shares.items[i].place, tp_ppm_of(shares.items[i].part, row->lost)};
        else
            row->more_victims++;
    }
    tp_free(shares.items);
    return fits;
}

// ROWS

static tp_wide against_of(const struct tp_totals *s, enum tp_finding_kind kind)
{
    tp_wide against = 0;
    for (uint32_t i = 0; i < s->files.count; i++) {
        if (s->files.items[i].judgement == TP_JUDGEMENT_JUDGED)
            against = tp_wide_add(against, tp_finding_against(&s->files.items[i], kind));
    }
    return against;
}

static uint64_t add_counts(uint64_t a, uint64_t b)
{
    return tp_wide_limited((tp_wide)a + b);
}

static void add_found(struct tp_fleet_row *row, const struct tp_found *found)
{
    row->file_count += found->is_first;
    row->damaged_count += found->is_first && found->is_damaged;
    row->also |= found->also;
    row->count = add_counts(row->count, found->count);
    row->lost = tp_wide_add(row->lost, found->lost);
    row->max_ns = found->max_ns > row->max_ns ? found->max_ns : row->max_ns;
    row->p99_ns = found->p99_ns > row->p99_ns ? found->p99_ns : row->p99_ns;
}

static int compare_by_path(const void *left, const void *right, void *ctx)
{
    const struct tp_found *a = *(const struct tp_found *const *)left;
    const struct tp_found *b = *(const struct tp_found *const *)right;
    return tp_totals_compare_texts(ctx, a->path, b->path);
}

// Returns the number of different paths. Sorts the findings by path.
static uint32_t count_paths(const struct tp_totals *s, const struct tp_found **found, size_t count)
{
    uint32_t paths = 1;
    qsort_r(found, count, sizeof *found, compare_by_path, (void *)s);
    for (size_t i = 1; i < count; i++)
        paths += tp_totals_compare_texts(s, found[i - 1]->path, found[i]->path) != 0;
    return paths;
}

// Adds the row of a group, whose findings are sorted by compare_found, and are so afterwards.
static bool add_row(struct tp_fleet *fleet, const struct tp_totals *s,
                    const struct tp_found **found, size_t count, tp_wide against)
{
    const struct tp_found *worst = found[0];
    struct tp_fleet_row row = {.kind = (enum tp_finding_kind)worst->kind,
                               .value_ppm = worst->value_ppm,
                               .worst_path = worst->path,
                               .culprit = worst->culprit,
                               .other = worst->other,
                               .detail = {worst->detail[0], worst->detail[1]},
                               .found = found,
                               .found_count = (uint32_t)count};
    for (size_t i = 0; i < count; i++)
        add_found(&row, found[i]);
    uint64_t importance = tp_ppm_of(row.lost, against);
    row.importance_ppm = importance < 1000000 ? importance : 1000000;
    row.path_count = count_paths(s, found, count);
    qsort_r(found, count, sizeof *found, compare_found, (void *)s);
    return set_victims(&row, s, found, count) && TP_LIST_ADD(fleet, row);
}

static bool add_rows(struct tp_fleet *fleet, const struct tp_totals *s,
                     const struct tp_found **found)
{
    tp_wide against[TP_FINDS_COUNT];
    bool fits = true;
    for (unsigned k = 0; k < TP_FINDS_COUNT; k++)
        against[k] = against_of(s, (enum tp_finding_kind)k);
    for (size_t first = 0, end; first < s->found.count && fits; first = end) {
        for (end = first + 1; end < s->found.count && is_same_group(s, found[first], found[end]);)
            end++;
        fits = add_row(fleet, s, found + first, end - first, against[found[first]->kind]);
    }
    TP_LIST_SORT_BY(fleet, compare_rows, s);
    return fits;
}

// NEAREST MISS

// A value that may be the nearest miss.
struct miss {
    enum tp_finding_kind kind;
    uint64_t value_ppm;
    uint32_t path;
};

// Whether `a` is nearer than `b`: by value / threshold, then by kind, then by path.
static bool is_nearer(const struct tp_totals *s, const struct miss *a, const struct miss *b)
{
    tp_wide left = (tp_wide)a->value_ppm * tp_finding_kinds[b->kind].threshold_ppm;
    tp_wide right = (tp_wide)b->value_ppm * tp_finding_kinds[a->kind].threshold_ppm;
    return (tp_compare_wide(right, left)
            ?: tp_compare_u64(a->kind, b->kind)
            ?: tp_totals_compare_texts(s, a->path, b->path)) < 0;
}

static void find_nearest(struct tp_fleet *fleet, const struct tp_totals *s)
{
    struct miss best = {.kind = TP_FINDS_NONE};
    for (uint32_t i = 0; i < s->files.count; i++) {
        const struct tp_file_row *row = &s->files.items[i];
        for (unsigned k = 0; k < TP_FINDS_COUNT; k++) {
            const struct miss miss = {(enum tp_finding_kind)k, row->values[k], row->path};
            // A value at its threshold belongs to a fault that another finding would explain, if it could be judged.
            bool is_some = miss.value_ppm != TP_VALUE_NONE && miss.value_ppm > 0 &&
                           miss.value_ppm < tp_finding_kinds[k].threshold_ppm;
            if (is_some && (best.kind == TP_FINDS_NONE || is_nearer(s, &miss, &best)))
                best = miss;
        }
    }
    fleet->nearest = best.kind;
    fleet->nearest_path = best.path;
    if (best.kind != TP_FINDS_NONE)
        fleet->nearest_ppm = tp_ppm_of(best.value_ppm, tp_finding_kinds[best.kind].threshold_ppm);
}

static void count_judgements(struct tp_fleet *fleet, const struct tp_totals *s)
{
    for (uint32_t i = 0; i < s->files.count; i++) {
        const struct tp_file_row *row = &s->files.items[i];
        fleet->judgements[row->judgement]++;
        for (unsigned k = 0; k < TP_FINDS_COUNT; k++)
            fleet->not_judged[k] +=
                row->judgement == TP_JUDGEMENT_JUDGED && row->values[k] == TP_VALUE_NONE;
    }
}

int tp_fleet_make(const struct tp_totals *s, struct tp_fleet *ret_fleet, struct tp_error *err)
{
    struct tp_fleet fleet = {.nearest = TP_FINDS_NONE};
    const struct tp_found **found = tp_alloc_array((size_t)s->found.count + 1, sizeof(void *));
    bool fits = found != NULL;
    count_judgements(&fleet, s);
    for (uint32_t i = 0; fits && i < s->found.count; i++)
        found[i] = &s->found.items[i];
    if (fits) {
        qsort_r(found, s->found.count, sizeof *found, compare_found, (void *)s);
        fleet.found = found;
        fits = add_rows(&fleet, s, found);
    }
    if (fits && fleet.count == 0)
        find_nearest(&fleet, s);
    if (!fits)
        tp_fleet_fini(&fleet);
    *ret_fleet = fleet;
    return fits ? 0 : tp_fail(err, TP_E_MEMORY, "out of memory for findings");
}

void tp_fleet_fini(struct tp_fleet *fleet)
{
    tp_free(fleet->items);
    tp_free(fleet->found);
    *fleet = (struct tp_fleet){.nearest = TP_FINDS_NONE};
}
