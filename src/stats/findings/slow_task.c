// Types of tasks of which some are much slower than most, because of one function. A long tail that
// has many causes is no fault.

#include "base/alloc.h"
#include "base/sort/compare.h"
#include "stats/evidence.h"
#include "stats/findings/judging.h"

#define LEAST_TASKS 50
// If the 99th percentile is below this, tasks are slow because of the machine: interrupts, page
// faults and other programs take as long.
#define LEAST_SLOW_NS 1000000
// Whether more than half of all slow tasks have one cause is to be told from those in the trace with
// less than 5 % doubt: for a fair coin 1.645 standard deviations, of which this is the square, in
// thousandths.
#define DOUBT_SQUARED 2706
// Slow tasks lose at least this part of the time of all tasks of the type, in hundredths, and are at
// most this part of them: fewer are not worth a look, more are usual.
#define LOST_PERCENT 5
#define SLOW_PERCENT 10
// Tasks are slow from this many octaves above that of the median on: from 2 to 4 times the median.
#define SLOW_OCTAVES 2

// The longest legs (stats/evidence.h) of tasks of one type, whose durations are in one octave.
struct cause {
    uint32_t type;  // a number of the names
    uint32_t stack;
    unsigned octave;
    uint64_t count;
    tp_wide ns;
};

struct causes {
    TP_LIST(struct cause);
};

static bool add_group(struct causes *c, const struct tp_totals *s,
                      const struct tp_durations_group *g)
{
    const struct tp_totals_pair *pair = &s->pairs.of.items[g->name];
    struct tp_durations_walk walk = {.group = g};
    struct cause cause = {tp_stack_start_function(s, pair->right), pair->left, 0, 0, 0};
    bool fits = true;
    while (cause.type != TP_INTERN_NONE && fits && tp_durations_walk_next(&walk)) {
        if (walk.measure < TP_EVIDENCE_SLOW)
            continue;
        cause.octave = walk.measure - TP_EVIDENCE_SLOW;
        cause.count = walk.dist->count;
        cause.ns = walk.dist->total_ns;
        fits = TP_LIST_ADD(c, cause);
    }
    return fits;
}

static int compare_causes(const void *left, const void *right)
{
    const struct cause *a = left, *b = right;
    return tp_compare_u64(a->type, b->type);
}

static bool collect(struct causes *c, const struct tp_totals *s)
{
    bool fits = true;
    for (uint32_t i = 0; i < s->durations.groups.count && fits; i++) {
        const struct tp_durations_group *g = &s->durations.groups.items[i];
        if (g->space == TP_SPACE_EVIDENCE && g->name != TP_TOTALS_OTHERS)
            fits = add_group(c, s, g);
    }
    TP_LIST_SORT(c, compare_causes);
    return fits;
}

// TYPES

// Tasks of a type: those of which the duration is in an octave from this one on.
struct slow {
    unsigned octave;
    uint64_t count;
    tp_wide lost_ns; // what they took beyond the median
};

static struct slow slow_of(const struct tp_dist *tasks, unsigned octave, uint64_t median_ns)
{
    struct slow slow = {.octave = octave};
    struct tp_hist_walk walk = {.hist = &tasks->hist};
    while (octave < 64 && tp_hist_walk_next(&walk)) {
        if (tp_hist_bucket_low(walk.bucket) >> octave == 0)
            continue;
        slow.count += walk.count;
        slow.lost_ns = tp_wide_add(
            slow.lost_ns, (tp_wide)walk.count * (tp_hist_bucket_middle(walk.bucket) - median_ns));
    }
    return slow;
}

// The function in which tasks spent most in their longest legs.
struct main_cause {
    struct tp_source_place place;
    tp_wide ns;     // of these legs
    uint64_t count; // of the tasks that have it as their cause
};

// Sets *ret to the place of a cause. False: the cause does not count, because it is of faster tasks
// than those in this octave, has no function of the program, or is a run to the end of the task,
// whose stack says only where the task ends.
static bool place_of(const struct tp_totals *s, const struct cause *cause, unsigned octave,
                     struct tp_source_place *ret)
{
    if (cause->octave < octave || !tp_stack_has_program(s, cause->stack) ||
        tp_stack_is_inner(s, cause->stack, "runtime/trace."))
        return false;
    *ret = tp_source_place_of(s, cause->stack, TP_STACK_SYNC);
    return true;
}

// Adds up the tasks of a type, with durations in an octave from this one on, whose cause is this
// function.
static void sum_cause(struct main_cause *cause, const struct tp_totals *s, const struct causes *of,
                      unsigned octave)
{
    for (uint32_t i = 0; i < of->count; i++) {
        const struct cause *one = &of->items[i];
        struct tp_source_place place;
        if (!place_of(s, one, octave, &place) ||
            tp_source_place_compare_functions(s, &place, &cause->place) != 0)
            continue;
        cause->ns = tp_wide_add(cause->ns, one->ns);
        cause->count += one->count;
    }
}

// Finds the main cause of tasks of a type, with durations in an octave from this one on. False: out
// of memory.
static bool find_cause(const struct tp_totals *s, const struct causes *of, unsigned octave,
                       struct main_cause *ret)
{
    struct tp_shares shares = {0};
    bool fits = true;
    *ret = (struct main_cause){.place = TP_SOURCE_PLACE_NONE};
    for (uint32_t i = 0; i < of->count && fits; i++) {
        const struct cause *cause = &of->items[i];
        struct tp_source_place place;
        if (place_of(s, cause, octave, &place))
            fits = tp_shares_add(&shares, &place, cause->ns);
    }
    if (fits) {
        ret->place = tp_shares_greatest(&shares, s);
        sum_cause(ret, s, of, octave);
    }
    tp_free(shares.items);
    return fits;
}

// Whether so many of all are more than half of them by more than chance (with correction for
// continuity): among few, one of some causes that are equally frequent often has half.
static bool are_most(uint64_t count, uint64_t all)
{
    if (count > all || count <= all - count)
        return false;
    tp_wide excess = count - (all - count) - 1;
    // Only a forged state counts as many, so that the square would not fit.
    if (excess > UINT32_MAX)
        return true;
    return excess * excess * 1000 >= (tp_wide)all * DOUBT_SQUARED;
}

// Whether a cause has half of the time that slow tasks took beyond the median.
static bool has_half(const struct main_cause *cause, const struct slow *slow)
{
    return cause->ns > 0 &&
           (cause->ns >= slow->lost_ns || cause->ns >= slow->lost_ns - cause->ns);
}

// Judges the tasks of one type, whose causes these are.
static bool judge_type(struct tp_judging *j, const struct tp_dist *tasks,
                       const struct causes *causes)
{
    if (tasks == NULL || tasks->count < LEAST_TASKS)
        return true;
    struct tp_found found = tp_found_of(TP_FINDS_SLOW_TASK);
    tp_found_set_times(&found, tasks);
    if (found.p99_ns < LEAST_SLOW_NS)
        return true;
    uint64_t median_ns = tp_dist_quantile_ns(tasks, 500);
    struct slow slow = slow_of(tasks, tp_octave_of_task(median_ns) + SLOW_OCTAVES, median_ns);
    struct main_cause cause, of_slowest;
    if (!find_cause(j->s, causes, slow.octave, &cause))
        return false;
    if (!has_half(&cause, &slow))
        return true;
    unsigned octave = tp_octave_of_task(found.p99_ns);
    const struct slow slowest = slow_of(tasks, octave > slow.octave ? octave : slow.octave, median_ns);
    if (!find_cause(j->s, causes, slowest.octave, &of_slowest))
        return false;
    if (!are_most(cause.count, slow.count) && !are_most(of_slowest.count, slowest.count))
        return true;
    bool has_slowest = of_slowest.place.function != TP_INTERN_NONE;
    found.culprit = has_slowest ? of_slowest.place : cause.place;
    found.count = slow.count;
    found.lost = slow.lost_ns;
    found.victim.function = causes->items[0].type;
    found.value_ppm = tp_ppm_of(found.p99_ns, median_ns);
    found.detail[0] = median_ns;
    uint64_t nearness = tp_lesser(tp_nearness(found.lost, tasks->total_ns / 100 * LOST_PERCENT),
                                     tp_nearness(tasks->count, (tp_wide)slow.count * (100 / SLOW_PERCENT)));
    return tp_judging_add(j, &found, nearness);
}

// Returns the durations of tasks by their type. NULL: out of memory.
static const struct tp_dist **find_tasks(const struct tp_totals *s)
{
    const struct tp_dist **tasks = tp_alloc_zero(((size_t)s->names.count + 1) * sizeof *tasks);
    for (uint32_t i = 0; tasks != NULL && i < s->durations.groups.count; i++) {
        const struct tp_durations_group *g = &s->durations.groups.items[i];
        if (g->space == TP_SPACE_TASK && g->name != TP_TOTALS_OTHERS && g->dist_count > 0)
            tasks[g->name] = g->dists[0];
    }
    return tasks;
}

bool tp_judge_slow_task(struct tp_judging *j)
{
    struct causes c = {0};
    const struct tp_dist **tasks = find_tasks(j->s);
    bool fits = tasks != NULL && collect(&c, j->s);
    tp_judging_note(j, TP_FINDS_SLOW_TASK);
    for (uint32_t first = 0, end; fits && first < c.count; first = end) {
        for (end = first + 1; end < c.count && c.items[end].type == c.items[first].type;)
            end++;
        const struct causes of = {.items = c.items + first, .count = end - first};
        fits = judge_type(j, tasks[c.items[first].type], &of);
    }
    tp_free(tasks);
    tp_free(c.items);
    return fits;
}
