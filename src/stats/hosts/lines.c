#include "stats/hosts/lines.h"

#include <stdlib.h>

#include "base/sort/compare.h"
#include "stats/findings/place.h"

// The lists into which the orders below look.
struct listed {
    const struct tp_totals *s;
    const struct tp_differs *d;
};

// Findings come first, because they name the cause, as a lack of Ps does, above all if there are more or
// fewer of them than elsewhere; then what names a place.
static int rank_of(const struct tp_difference *d)
{
    if (d->found != NULL || d->measure == TP_HOST_RUNNABLE)
        return d->found == NULL && d->procs == 0;
    return tp_is_top_measure(d->measure) ? 2 : 3;
}

static int compare_differences(const void *left, const void *right, void *ctx)
{
    const struct tp_difference *a = left, *b = right;
    return tp_compare_u64(a->host, b->host)
        ?: rank_of(a) - rank_of(b)
        ?: tp_compare_u64(b->severity_ppm, a->severity_ppm)
        ?: tp_compare_u64(a->measure, b->measure)
        ?: tp_totals_compare_texts(ctx, a->name, b->name);
}

static int compare_differing(const void *left, const void *right, void *ctx)
{
    const struct tp_differing_host *a = left, *b = right;
    const struct tp_differs *d = ctx;
    const struct tp_difference *first_of_a = &d->differences.items[a->first];
    const struct tp_difference *first_of_b = &d->differences.items[b->first];
    return rank_of(first_of_a) - rank_of(first_of_b)
        ?: tp_compare_u64(first_of_b->severity_ppm, first_of_a->severity_ppm)
        ?: tp_compare_u64(a->host, b->host);
}

const struct tp_difference *tp_difference_beside(const struct tp_difference *first, uint32_t count)
{
    const struct tp_difference *wait = NULL;
    for (uint32_t i = 1; i < count && tp_measure_info(first->measure).of == TP_TOP_TASK; i++) {
        if (first[i].measure == TP_HOST_REGION_P50 || first[i].measure == TP_HOST_REGION_P99)
            return &first[i];
        if (first[i].measure == TP_HOST_WAIT && wait == NULL)
            wait = &first[i];
    }
    return wait;
}

static int compare_kinds(const struct tp_difference *a, const struct tp_difference *b)
{
    if (a == NULL || b == NULL)
        return (a != NULL) - (b != NULL);
    return tp_compare_u64(a->measure, b->measure)
        ?: tp_compare_u64(a->name, b->name);
}

// Orders hosts by what their lines say, and then keeps their order.
static int compare_words(const void *left, const void *right, void *ctx)
{
    const struct tp_differing_host *a = left, *b = right;
    const struct listed *l = ctx;
    const struct tp_difference *of_a = &l->d->differences.items[a->first];
    const struct tp_difference *of_b = &l->d->differences.items[b->first];
    int order = compare_kinds(of_a, of_b)
        ?: tp_compare_u64(of_a->procs, of_b->procs)
        ?: tp_compare_u64(of_a->class, of_b->class)
        ?: compare_kinds(tp_difference_beside(of_a, a->count), tp_difference_beside(of_b, b->count));
    return order != 0 || of_a->found == NULL
               ? order
               : tp_source_place_compare_functions(l->s, &of_a->found->culprit, &of_b->found->culprit);
}

static int compare_words_and_lines(const void *left, const void *right, void *ctx)
{
    return compare_words(left, right, ctx)
        ?: tp_compare_u64(((const struct tp_differing_host *)left)->line,
                          ((const struct tp_differing_host *)right)->line);
}

static int compare_lines(const void *left, const void *right, void *ctx)
{
    const struct tp_differing_host *a = left, *b = right;
    return a->line != b->line ? tp_compare_u64(a->line, b->line) : compare_differing(left, right, ctx);
}

// Gives each host its line: the place of the worst host with the same words.
static void put_on_lines(const struct tp_totals *s, struct tp_differs *d)
{
    struct listed listed = {s, d};
    TP_LIST_SORT_BY(d, compare_differing, d);
    for (uint32_t i = 0; i < d->count; i++)
        d->items[i].line = i;
    TP_LIST_SORT_BY(d, compare_words_and_lines, &listed);
    for (uint32_t i = 1; i < d->count; i++) {
        if (compare_words(&d->items[i - 1], &d->items[i], &listed) == 0)
            d->items[i].line = d->items[i - 1].line;
    }
    TP_LIST_SORT_BY(d, compare_lines, d);
}

static int compare_groups(const void *left, const void *right, void *ctx)
{
    const struct tp_two_groups *a = left, *b = right;
    return tp_compare_u64(a->measure, b->measure)
        ?: tp_totals_compare_texts(ctx, a->name, b->name);
}

bool tp_differs_list(const struct tp_totals *s, struct tp_differs *d)
{
    struct tp_differences *all = &d->differences;
    bool fits = true;
    TP_LIST_SORT_BY(all, compare_differences, (void *)s);
    for (uint32_t first = 0, end; first < all->count && fits; first = end) {
        for (end = first + 1; end < all->count && all->items[end].host == all->items[first].host;)
            end++;
        fits = TP_LIST_ADD(d, (struct tp_differing_host){all->items[first].host, first, end - first, 0});
    }
    put_on_lines(s, d);
    TP_LIST_SORT_BY(&d->groups, compare_groups, (void *)s);
    return fits;
}
