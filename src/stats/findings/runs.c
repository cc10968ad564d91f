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

bool tp_runs_are_long(const struct tp_dist *runs, uint64_t least_ns, struct tp_long_runs *ret)
{
    struct tp_hist_walk walk = {.hist = &runs->hist};
    unsigned least = tp_hist_bucket(least_ns);
    uint64_t short_count = 0;
    tp_wide short_ns = 0;
    while (tp_hist_walk_next(&walk) && walk.bucket < least) {
        short_count += walk.count;
        short_ns = tp_wide_add(short_ns, (tp_wide)walk.count * tp_hist_bucket_middle(walk.bucket));
    }
    if (short_ns > runs->total_ns / SHORT_PART)
        return false;
    *ret = (struct tp_long_runs){runs->count - short_count, runs->total_ns - short_ns};
    return true;
}

static bool judge_hog(struct tp_judging *j, const struct tp_blamed *of, void *ctx)
{
    const uint64_t *anywhere_ns = ctx;
    struct tp_long_runs runs;
    if (of->interrupted_ns >= TP_LATE_INTERRUPT_NS || *anywhere_ns >= TP_LATE_INTERRUPT_NS ||
        !tp_runs_are_long(&of->all, threshold_ns(TP_FINDS_P_HOG), &runs))
        return true;
    struct tp_found found = tp_found_of(TP_FINDS_P_HOG);
    found.value_ppm = found.max_ns = of->all.max_ns;
    tp_found_set_worst(&found, &of->all);
    found.count = runs.count;
    found.lost = runs.ns;
    found.culprit = of->culprit;
    uint32_t before = j->found.count;
    bool fits = tp_judging_add(j, &found, TP_HOLDS);
    if (j->found.count > before)
        j->found.items[before].stack = of->stack;
    return fits;
}

// Whether the runtime interrupted a run whose stack does not show the function of the program that
// ran: code without a frame of its own cuts a stack short.
static bool may_be_anywhere(const struct tp_evidence_walk *run)
{
    uint32_t start = tp_stack_start_function(run->s, run->stack);
    return tp_run_is_interrupted(run->s, run->stack) && !tp_stack_has_program(run->s, run->stack) &&
           !tp_span_begins_with(tp_intern_text(&run->s->names, start), "runtime.");
}

static bool add_runs(struct tp_blames *blames, const struct tp_totals *s, enum tp_evidence evidence,
                     uint64_t *anywhere_ns)
{
    struct tp_evidence_walk walk = {.s = s, .evidence = evidence};
    bool fits = true;
    while (fits && tp_evidence_next(&walk)) {
        struct tp_source_place place = tp_run_place(&walk);
        fits = tp_blames_add(blames, &place, &walk);
        if (may_be_anywhere(&walk) && walk.dist->max_ns > *anywhere_ns)
            *anywhere_ns = walk.dist->max_ns;
    }
    return fits;
}

bool tp_judge_p_hog(struct tp_judging *j)
{
    struct tp_blames blames = {0};
    uint64_t anywhere_ns = 0;
    tp_judging_note(j, TP_FINDS_P_HOG);
    bool fits = add_runs(&blames, j->s, TP_EVIDENCE_LONG_RUN, &anywhere_ns) &&
                add_runs(&blames, j->s, TP_EVIDENCE_LONG_RUN_PREEMPTED, &anywhere_ns) &&
                tp_blames_judge(&blames, j, judge_hog, &anywhere_ns);
    tp_free(blames.items);
    return fits;
}

// HIGH SCHEDULING LATENCY

// The late waits of goroutines that one function makes runnable are at least so many, and come to
// at least this part of the time of the input, in hundredths: one goroutine that is late is no fault.
#define LEAST_LATE 5
#define LATE_PERCENT 15
// `ctx` is the nearness of the condition that the Ps are idle.
static bool judge_maker(struct tp_judging *j, const struct tp_blamed *maker, void *ctx)
{
    const uint64_t *idle_ppm = ctx;
    const struct tp_dist *waits = &maker->all;
    struct tp_found found = tp_found_of(TP_FINDS_SCHED_LATENCY);
    tp_found_set_times(&found, waits);
    found.value_ppm = waits->max_ns;
    found.culprit = maker->culprit;
    uint64_t often_ppm = tp_lesser(
        tp_nearness(waits->count, LEAST_LATE),
        tp_nearness(found.lost, j->row->figures[TP_FILE_DURATION] / 100 * LATE_PERCENT));
    return tp_judging_add(j, &found, tp_lesser(often_ppm, *idle_ppm));
}

bool tp_judge_sched_latency(struct tp_judging *j)
{
    struct tp_blames blames = {0};
    struct tp_evidence_walk walk = {.s = j->s, .evidence = TP_EVIDENCE_LATE};
    // Goroutines wait in bursts, while Ps are idle in between.
    uint64_t idle_ppm = tp_nearness_of_idle_ps(j);
    bool fits = true;
    if (!tp_judging_knows_procs(j))
        return true;
    tp_judging_note(j, TP_FINDS_SCHED_LATENCY);
    while (fits && tp_evidence_next(&walk)) {
        if (!tp_stack_has_program(j->s, walk.stack))
            continue;
        struct tp_source_place maker = tp_source_place_of(j->s, walk.stack, TP_STACK_SCHED);
        fits = tp_blames_add(&blames, &maker, &walk);
    }
    fits = fits && tp_blames_judge(&blames, j, judge_maker, &idle_ppm);
    tp_free(blames.items);
    return fits;
}
