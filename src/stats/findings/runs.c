// Findings of single goroutines that hold a P, or wait for one: runs without a stop, and waits for a
// P of goroutines that were woken or created.
#include "base/alloc.h"
#include "stats/findings/evidence_walk.h"

// A GOROUTINE HOLDS A P

// At most this part of the time of a function's long runs is in shorter ones: who holds a P by its
// own fault does it each time, and who was not taken off a busy machine's core does not.
#define SHORT_PART 10

static uint64_t threshold_ns(enum tp_finding_kind kind)
{
    return tp_finding_kinds[kind].threshold_ppm; // a millionth of a millisecond
}

// Adds up the durations below `least_ns`, of which each counts as the middle of its bucket.
static void sum_below(const struct tp_dist *d, uint64_t least_ns, uint64_t *ret_count,
                      tp_wide *ret_ns)
{
    struct tp_hist_walk walk = {.hist = &d->hist};
    unsigned least = tp_hist_bucket(least_ns);
    *ret_count = 0;
    *ret_ns = 0;
    while (tp_hist_walk_next(&walk) && walk.bucket < least) {
        *ret_count += walk.count;
        *ret_ns = tp_wide_add(*ret_ns, (tp_wide)walk.count * tp_hist_bucket_middle(walk.bucket));
    }
}

static bool judge_hog(struct tp_judging *j, const struct tp_source_place *culprit,
                      const struct tp_dist *runs)
{
    uint64_t short_count;
    tp_wide short_ns;
    sum_below(runs, threshold_ns(TP_FINDS_P_HOG), &short_count, &short_ns);
    if (short_ns > runs->total_ns / SHORT_PART)
        return true;
    struct tp_found found = tp_found_of(TP_FINDS_P_HOG);
    found.value_ppm = found.max_ns = runs->max_ns;
    found.count = runs->count - short_count;
    found.lost = runs->total_ns - short_ns;
    found.culprit = *culprit;
    return tp_judging_add(j, &found);
}

static bool add_runs(struct tp_blames *blames, const struct tp_totals *s, enum tp_evidence evidence)
{
    struct tp_evidence_walk walk = {.s = s, .evidence = evidence};
    bool fits = true;
    while (fits && tp_evidence_next(&walk)) {
        struct tp_source_place place = tp_run_place(s, evidence, walk.stack);
        if (tp_run_shows_holder(s, walk.stack))
            fits = tp_blames_add(blames, &place, walk.dist);
    }
    return fits;
}

bool tp_judge_p_hog(struct tp_judging *j)
{
    struct tp_blames blames = {0};
    bool fits = add_runs(&blames, j->s, TP_EVIDENCE_LONG_RUN) &&
                add_runs(&blames, j->s, TP_EVIDENCE_LONG_RUN_PREEMPTED) &&
                tp_blames_judge(&blames, j, judge_hog);
    tp_free(blames.items);
    return fits;
}

// LATE TO GET A P

// The late waits of who makes goroutines runnable are at least so many, and come to at least this
// part of the time of the input, in hundredths: one goroutine that is late is no fault.
#define LEAST_LATE 5
#define LATE_PERCENT 15

static bool judge_maker(struct tp_judging *j, const struct tp_source_place *maker,
                        const struct tp_dist *waits)
{
    struct tp_found found = tp_found_of(TP_FINDS_SCHED_LATENCY);
    tp_found_set_times(&found, waits);
    found.value_ppm = waits->max_ns;
    found.culprit = *maker;
    bool is_often = waits->count >= LEAST_LATE &&
                    tp_ppm_of(found.lost, j->row->figures[TP_FILE_DURATION]) >= LATE_PERCENT * 10000;
    return !is_often || tp_judging_add(j, &found);
}

bool tp_judge_sched_latency(struct tp_judging *j)
{
    struct tp_blames blames = {0};
    struct tp_evidence_walk walk = {.s = j->s, .evidence = TP_EVIDENCE_LATE};
    bool fits = true;
    while (fits && tp_evidence_next(&walk)) {
        if (!tp_stack_has_program(j->s, walk.stack))
            continue;
        struct tp_source_place maker = tp_source_place_of(j->s, walk.stack, TP_STACK_SCHED);
        fits = tp_blames_add(&blames, &maker, walk.dist);
    }
    fits = fits && tp_blames_judge(&blames, j, judge_maker);
    tp_free(blames.items);
    return fits;
}
