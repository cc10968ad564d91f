#include "stats/findings/evidence_walk.h"

#include "base/alloc.h"

bool tp_evidence_next(struct tp_evidence_walk *walk)
{
    const struct tp_totals *s = walk->s;
    while (walk->next_group < s->durations.groups.count) {
        const struct tp_durations_group *g = &s->durations.groups.items[walk->next_group++];
        if (g->space != TP_SPACE_EVIDENCE || g->dist_count <= (uint32_t)walk->evidence ||
            g->dists[walk->evidence] == NULL)
            continue;
        bool has_pair = g->name != TP_TOTALS_OTHERS;
        walk->stack = has_pair ? s->pairs.of.items[g->name].left : TP_INTERN_NONE;
        walk->right = has_pair ? s->pairs.of.items[g->name].right : TP_INTERN_NONE;
        walk->dist = g->dists[walk->evidence];
        return true;
    }
    return false;
}

// RUNS

bool tp_run_is_interrupted(const struct tp_totals *s, uint32_t stack)
{
    return tp_stack_is_inner(s, stack, "runtime.asyncPreempt");
}

static struct tp_source_place innermost_place(const struct tp_evidence_walk *run)
{
    return tp_stack_has_program(run->s, run->stack)
               ? tp_source_place_of(run->s, run->stack, TP_STACK_SCHED)
               : (struct tp_source_place)TP_SOURCE_PLACE_NONE;
}

struct tp_source_place tp_run_place_if_shown(const struct tp_evidence_walk *run)
{
    if (run->evidence != TP_EVIDENCE_LONG_RUN_PREEMPTED ||
        tp_run_is_interrupted(run->s, run->stack))
        return innermost_place(run);
    return tp_stack_has_frames(run->s, run->right)
               ? tp_source_place_of_callee(run->s, run->stack, run->right)
               : tp_source_place_of_caller(run->s, run->stack);
}

struct tp_source_place tp_run_place(const struct tp_evidence_walk *run)
{
    struct tp_source_place place = tp_run_place_if_shown(run);
    return place.function != TP_INTERN_NONE ? place : innermost_place(run);
}

// EVIDENCE BY FUNCTION

bool tp_blames_add(struct tp_blames *blames, const struct tp_source_place *place,
                   const struct tp_evidence_walk *walk)
{
    bool is_interrupted = tp_run_is_interrupted(walk->s, walk->stack);
    const struct tp_blame_item item = {*place, walk->stack, walk->dist, is_interrupted};
    return place->function == TP_INTERN_NONE || TP_LIST_ADD(blames, item);
}

static int compare_items(const void *left, const void *right, void *ctx)
{
    const struct tp_blame_item *a = left, *b = right;
    return tp_source_place_compare(ctx, &a->place, &b->place);
}

static uint64_t hash_of(const struct tp_totals *s, uint32_t stack)
{
    return stack != TP_INTERN_NONE ? s->stacks.of.items[stack].hash : UINT64_MAX;
}

// Takes the stack of an item if the item is longer than all before it in of->all.
static void compare_stack(struct tp_blamed *of, const struct tp_totals *s,
                          const struct tp_blame_item *item)
{
    if (of->all.count == 0 || item->dist->max_ns > of->all.max_ns ||
        (item->dist->max_ns == of->all.max_ns && hash_of(s, item->stack) < hash_of(s, of->stack)))
        of->stack = item->stack;
}

// Adds up the items of one function. False: out of memory.
static bool sum_items(struct tp_blamed *of, struct tp_judging *j,
                      const struct tp_blame_item *items, size_t count)
{
    struct tp_shares lines = {0};
    bool fits = true;
    for (size_t i = 0; i < count && fits; i++) {
        const struct tp_blame_item *item = &items[i];
        if (item->is_interrupted) {
            if (item->dist->max_ns > of->interrupted_ns)
                of->interrupted_ns = item->dist->max_ns;
            continue;
        }
        compare_stack(of, j->s, item);
        fits = tp_dist_merge(&of->all, item->dist) &&
               tp_shares_add(&lines, &item->place, item->dist->total_ns);
    }
    if (fits)
        of->culprit = tp_shares_greatest(&lines, j->s);
    tp_free(lines.items);
    return fits;
}

bool tp_blames_judge(struct tp_blames *blames, struct tp_judging *j,
                     bool (*judge)(struct tp_judging *j, const struct tp_blamed *of, void *ctx),
                     void *ctx)
{
    struct tp_blame_item *items = blames->items;
    bool fits = true;
    TP_LIST_SORT_BY(blames, compare_items, j->s);
    for (uint32_t first = 0, end; first < blames->count && fits; first = end) {
        for (end = first + 1; end < blames->count &&
                              tp_source_place_compare_functions(j->s, &items[first].place,
                                                                &items[end].place) == 0;)
            end++;
        struct tp_blamed of = {.stack = TP_INTERN_NONE};
        fits = sum_items(&of, j, items + first, end - first) &&
               (of.all.count == 0 || judge(j, &of, ctx));
        tp_dist_fini(&of.all);
    }
    return fits;
}
