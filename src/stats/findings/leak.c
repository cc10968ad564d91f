// Goroutine leaks: goroutines that are created all the time and do not end. They were created in the
// trace and are blocked at its end, and are compared by start function with those that ended, nearly
// all of which lived much shorter. Goroutines that are created at the start only are no leak, so the
// half of the trace with fewer of them counts; nor are those that others wake again and again.

#include "base/alloc.h"
#include "base/sort/compare.h"
#include "stats/evidence.h"
#include "stats/findings/judging.h"
#include "stats/idle_waits.h"

// A finding needs at least so many of each half of the trace.
#define LEAST_LEFT 5
// In a leak this part of the goroutines that ended, in thousandths, lived shorter than this part of the
// trace.
#define ENDED_THOUSANDTHS 990
#define LIFE_PART 4
// A goroutine that others wake as often as this, on average, is at work.
#define AT_WORK_WAKES 4

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

// Puts the goroutines of a start function together, and of these those that wait at one stack.
static int compare_lefts(const void *left, const void *right)
{
    const struct left *a = left, *b = right;
    return tp_compare_u64(a->start, b->start) ?: tp_compare_u64(a->pair->right, b->pair->right);
}

// WHAT OTHERS OF THEIR KIND DO

// Lives of goroutines that began and ended in the trace, by start function, and how often a goroutine
// ended waits, by stack of the wait. Owns both arrays.
struct others {
    const struct tp_dist **lives; // by name; NULL: none ended
    uint64_t *wakes;              // by stack
};

static void others_fini(struct others *o)
{
    tp_free(o->lives);
    tp_free(o->wakes);
}

// False: out of memory.
static bool find_others(const struct tp_totals *s, struct others *ret)
{
    struct tp_wakes wakes = {.s = s};
    struct tp_wake wake;
    *ret = (struct others){tp_alloc_zero(((size_t)s->names.count + 1) * sizeof *ret->lives),
                           tp_alloc_zero(((size_t)s->stacks.of.count + 1) * sizeof *ret->wakes)};
    if (ret->lives == NULL || ret->wakes == NULL)
        return false;
    for (uint32_t i = 0; i < s->durations.groups.count; i++) {
        const struct tp_durations_group *g = &s->durations.groups.items[i];
        if (g->space == TP_SPACE_GOROUTINE && g->name != TP_TOTALS_OTHERS &&
            g->dist_count > TP_MEASURE_LIFE)
            ret->lives[g->name] = g->dists[TP_MEASURE_LIFE];
    }
    while (tp_wakes_next(&wakes, &wake)) {
        if (wake.pair->left != TP_INTERN_NONE && tp_stack_has_frames(s, wake.pair->right))
            ret->wakes[wake.pair->left] += wake.blocked->count;
    }
    return true;
}

// Returns how nearly goroutines are at rest: others have not woken each of them again and again. One
// wake is taken off for each goroutine that ended.
static uint64_t nearness_of_rest(const struct others *o, const struct left *lefts, size_t count,
                                 uint64_t left_count, uint64_t ended_count)
{
    uint64_t wakes = 0;
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || lefts[i].pair->right != lefts[i - 1].pair->right)
            wakes += o->wakes[lefts[i].pair->right];
    }
    wakes = wakes > ended_count ? wakes - ended_count : 0;
    return tp_nearness((tp_wide)left_count * AT_WORK_WAKES, wakes);
}

// Returns how nearly those that ended lived short.
static uint64_t nearness_of_lives(const struct tp_dist *lives, tp_wide duration_ns)
{
    return lives == NULL || lives->count == 0
               ? TP_HOLDS
               : tp_nearness(duration_ns / LIFE_PART, tp_dist_quantile_ns(lives, ENDED_THOUSANDTHS));
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

// Judges the goroutines of one start function.
static bool judge_start(struct tp_judging *j, const struct others *o, const struct left *lefts,
                        size_t count)
{
    const struct tp_dist *lives = o->lives[lefts[0].start];
    tp_wide duration_ns = j->row->figures[TP_FILE_DURATION];
    uint64_t halves[2] = {0, 0};
    for (size_t i = 0; i < count; i++)
        halves[lefts[i].is_late] += lefts[i].count;
    uint64_t least = halves[0] < halves[1] ? halves[0] : halves[1];
    uint64_t all = halves[0] + halves[1];
    struct tp_found found = tp_found_of(TP_FINDS_LEAK);
    found.count = all;
    found.lost = all;
    found.value_ppm =
        tp_ppm_of((tp_wide)least * 2 * UINT64_C(1000000000), duration_ns);
    uint64_t nearness =
        tp_lesser(tp_nearness(least, LEAST_LEFT),
                     tp_lesser(nearness_of_lives(lives, duration_ns),
                                  nearness_of_rest(o, lefts, count, all,
                                                   lives != NULL ? lives->count : 0)));
    return set_places(&found, j->s, lefts, count) && tp_judging_add(j, &found, nearness);
}

bool tp_judge_leak(struct tp_judging *j)
{
    struct lefts l = {.s = j->s};
    struct others others;
    if (j->row->figures[TP_FILE_DURATION] < TP_LEAK_NS_MIN)
        return true;
    bool fits = find_others(j->s, &others) && collect(&l);
    tp_judging_note(j, TP_FINDS_LEAK);
    TP_LIST_SORT(&l, compare_lefts);
    for (uint32_t first = 0, end; fits && first < l.count; first = end) {
        for (end = first + 1; end < l.count && l.items[end].start == l.items[first].start;)
            end++;
        fits = judge_start(j, &others, l.items + first, end - first);
    }
    others_fini(&others);
    tp_free(l.items);
    return fits;
}
