// Goroutines that are made all the time and do not end: those that were created in the trace and are
// blocked at its end, by their start function. Goroutines that are made at the start only are no leak,
// so the half of the trace with fewer of them counts.
#include <stdlib.h>

#include "base/alloc.h"
#include "base/sort/compare.h"
#include "stats/evidence.h"
#include "stats/findings/judging.h"
#include "stats/idle_waits.h"

#define LEAST_NS UINT64_C(500000000)
// A finding needs at least so many of each half of the trace.
#define LEAST_LEFT 5

// Goroutines left, of one pair of stacks and one half of the trace.
struct left {
    const struct tp_totals_pair *pair; // of the creation, and of the wait
    uint32_t start;                    // function; a number of the names
    bool is_late;
    uint64_t count;
};

struct lefts {
    const struct tp_totals *s;
    TP_LIST(struct left);
};

static bool is_runtime(const struct tp_totals *s, uint32_t function)
{
    return tp_span_begins_with(tp_intern_text(&s->names, function), "runtime.");
}

static bool add_group(struct lefts *l, const struct tp_durations_group *g)
{
    const struct tp_totals *s = l->s;
    const struct tp_totals_pair *pair = &s->pairs.of.items[g->name];
    uint32_t start = tp_stack_start_function(s, pair->right);
    struct tp_durations_walk walk = {.group = g};
    bool is_counted = start != TP_INTERN_NONE && !is_runtime(s, start) &&
                      !tp_stack_is_idle(s, pair->right, TP_STACK_SYNC);
    bool fits = true;
    while (is_counted && fits && tp_durations_walk_next(&walk)) {
        struct left left = {pair, start, walk.measure == TP_EVIDENCE_LEFT_LATE, walk.dist->count};
        if (left.is_late || walk.measure == TP_EVIDENCE_LEFT_EARLY)
            fits = TP_LIST_ADD(l, left);
    }
    return fits;
}

static bool collect(struct lefts *l)
{
    bool fits = true;
    for (uint32_t i = 0; i < l->s->durations.groups.count && fits; i++) {
        const struct tp_durations_group *g = &l->s->durations.groups.items[i];
        if (g->space == TP_SPACE_EVIDENCE && g->name != TP_TOTALS_OTHERS)
            fits = add_group(l, g);
    }
    return fits;
}

static int compare_lefts(const void *left, const void *right)
{
    const struct left *a = left, *b = right;
    return tp_compare_u64(a->start, b->start);
}

// Counts by start function the goroutines that began and ended in the trace.
static uint64_t *count_ended(const struct tp_totals *s)
{
    uint64_t *ended = tp_alloc_zero(((size_t)s->names.count + 1) * sizeof *ended);
    for (uint32_t i = 0; ended != NULL && i < s->durations.groups.count; i++) {
        const struct tp_durations_group *g = &s->durations.groups.items[i];
        if (g->space == TP_SPACE_GOROUTINE && g->name != TP_TOTALS_OTHERS &&
            g->dist_count > TP_MEASURE_LIFE && g->dists[TP_MEASURE_LIFE] != NULL)
            ended[g->name] = g->dists[TP_MEASURE_LIFE]->count;
    }
    return ended;
}

// Finds where these goroutines wait, and who made them.
static bool set_places(struct tp_found *found, const struct tp_totals *s, const struct left *lefts,
                       size_t count)
{
    struct tp_shares waits = {0}, makers = {0};
    bool fits = true;
    for (size_t i = 0; i < count && fits; i++) {
        struct tp_source_place wait = tp_source_place_of(s, lefts[i].pair->right, TP_STACK_SYNC);
        struct tp_source_place maker = tp_source_place_of(s, lefts[i].pair->left, TP_STACK_SCHED);
        fits = tp_shares_add(&waits, &wait, lefts[i].count) &&
               tp_shares_add(&makers, &maker, lefts[i].count);
    }
    if (fits) {
        found->culprit = tp_shares_greatest(&waits, s);
        found->other = tp_shares_greatest(&makers, s);
    }
    tp_free(waits.items);
    tp_free(makers.items);
    return fits;
}

// Judges the goroutines of one start function, of which so many others have ended.
static bool judge_start(struct tp_judging *j, const struct left *lefts, size_t count,
                        uint64_t ended_count)
{
    uint64_t halves[2] = {0, 0};
    for (size_t i = 0; i < count; i++)
        halves[lefts[i].is_late] += lefts[i].count;
    uint64_t least = halves[0] < halves[1] ? halves[0] : halves[1];
    uint64_t all = halves[0] + halves[1];
    if (least < LEAST_LEFT || all < ended_count)
        return true;
    struct tp_found found = tp_found_of(TP_FINDS_LEAK);
    found.count = all;
    found.lost = all;
    found.value_ppm =
        tp_ppm_of((tp_wide)least * 2 * UINT64_C(1000000000), j->row->figures[TP_FILE_DURATION]);
    return set_places(&found, j->s, lefts, count) && tp_judging_add(j, &found);
}

bool tp_judge_leak(struct tp_judging *j)
{
    struct lefts l = {.s = j->s};
    if (j->row->figures[TP_FILE_DURATION] < LEAST_NS)
        return true;
    uint64_t *ended = count_ended(j->s);
    bool fits = ended != NULL && collect(&l);
    if (fits && l.count > 0)
        qsort(l.items, l.count, sizeof *l.items, compare_lefts);
    for (uint32_t first = 0, end; fits && first < l.count; first = end) {
        for (end = first + 1; end < l.count && l.items[end].start == l.items[first].start;)
            end++;
        fits = judge_start(j, l.items + first, end - first, ended[l.items[first].start]);
    }
    tp_free(ended);
    tp_free(l.items);
    return fits;
}
