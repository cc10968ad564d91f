#include "stats/findings/evidence_walk.h"

#include <stdlib.h>

#include "base/alloc.h"

bool tp_evidence_next(struct tp_evidence_walk *walk)
{
    const struct tp_totals *s = walk->s;
    while (walk->next_group < s->durations.groups.count) {
        const struct tp_durations_group *g = &s->durations.groups.items[walk->next_group++];
        if (g->space != TP_SPACE_EVIDENCE || g->dist_count <= (uint32_t)walk->evidence ||
            g->dists[walk->evidence] == NULL)
            continue;
        walk->stack =
            g->name != TP_TOTALS_OTHERS ? s->pairs.of.items[g->name].left : TP_INTERN_NONE;
        walk->dist = g->dists[walk->evidence];
        return true;
    }
    return false;
}

tp_wide tp_evidence_total_ns(const struct tp_totals *s, enum tp_evidence evidence)
{
    struct tp_evidence_walk walk = {.s = s, .evidence = evidence};
    tp_wide total_ns = 0;
    while (tp_evidence_next(&walk))
        total_ns = tp_wide_add(total_ns, walk.dist->total_ns);
    return total_ns;
}

// RUNS

bool tp_run_shows_holder(const struct tp_totals *s, uint32_t stack)
{
    return tp_stack_has_program(s, stack) && !tp_stack_is_inner(s, stack, "runtime.asyncPreempt");
}

struct tp_source_place tp_run_place(const struct tp_totals *s, enum tp_evidence evidence,
                                    uint32_t stack)
{
    struct tp_source_place place = TP_SOURCE_PLACE_NONE;
    bool is_at_entry = evidence == TP_EVIDENCE_LONG_RUN_PREEMPTED &&
                       !tp_stack_is_inner(s, stack, "runtime.asyncPreempt");
    if (is_at_entry)
        place = tp_source_place_of_caller(s, stack);
    if (place.function == TP_INTERN_NONE && tp_stack_has_program(s, stack))
        place = tp_source_place_of(s, stack, TP_STACK_SCHED);
    return place;
}

// EVIDENCE BY FUNCTION

bool tp_blames_add(struct tp_blames *blames, const struct tp_source_place *place,
                   const struct tp_dist *dist)
{
    return place->function == TP_INTERN_NONE ||
           TP_LIST_ADD(blames, (struct tp_blame_item){*place, dist});
}

static int compare_items(const void *left, const void *right, void *ctx)
{
    const struct tp_blame_item *a = left, *b = right;
    return tp_source_place_compare(ctx, &a->place, &b->place);
}

// Judges the items of one function.
static bool judge_function(const struct tp_blame_item *items, size_t count, struct tp_judging *j,
                           bool (*judge)(struct tp_judging *j,
                                         const struct tp_source_place *culprit,
                                         const struct tp_dist *all))
{
    struct tp_dist all = {0};
    struct tp_shares lines = {0};
    bool fits = true;
    for (size_t i = 0; i < count && fits; i++)
        fits = tp_dist_merge(&all, items[i].dist) &&
               tp_shares_add(&lines, &items[i].place, items[i].dist->total_ns);
    if (fits) {
        const struct tp_source_place culprit = tp_shares_greatest(&lines, j->s);
        fits = judge(j, &culprit, &all);
    }
    tp_dist_fini(&all);
    tp_free(lines.items);
    return fits;
}

bool tp_blames_judge(struct tp_blames *blames, struct tp_judging *j,
                     bool (*judge)(struct tp_judging *j, const struct tp_source_place *culprit,
                                   const struct tp_dist *all))
{
    struct tp_blame_item *items = blames->items;
    bool fits = true;
    if (blames->count > 0)
        qsort_r(items, blames->count, sizeof *items, compare_items, j->s);
    for (uint32_t first = 0, end; first < blames->count && fits; first = end) {
        for (end = first + 1; end < blames->count &&
                              tp_source_place_compare_functions(j->s, &items[first].place,
                                                                &items[end].place) == 0;)
            end++;
        fits = judge_function(items + first, end - first, j, judge);
    }
    return fits;
}
