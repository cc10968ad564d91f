// Not enough Ps: goroutines lose most of the time in which they have something to do to waiting for
// a P, and goroutines that the network or a timer wakes wait, too. A batch that keeps all Ps busy has
// goroutines waiting as well, but nobody waits for them.
#include "base/alloc.h"
#include "stats/findings/evidence_walk.h"
#include "stats/idle_waits.h"
#include "base/text/system_name.h"

// The part of their time with something to do that goroutines wait for a P, in hundredths: of the time
// for which they run, wait for a P, or wait for each other.
#define LOST_PERCENT 40

// Returns the start function whose goroutines waited longest for a P; of equal ones the first by name.
static uint32_t latest_function(const struct tp_totals *s)
{
    uint32_t latest = TP_INTERN_NONE;
    tp_wide latest_ns = 0;
    for (uint32_t i = 0; i < s->durations.groups.count; i++) {
        const struct tp_durations_group *g = &s->durations.groups.items[i];
        if (g->space != TP_SPACE_GOROUTINE || g->name == TP_TOTALS_OTHERS ||
            g->dist_count <= TP_MEASURE_SCHED || g->dists[TP_MEASURE_SCHED] == NULL)
            continue;
        tp_wide ns = tp_dist_all_ns(g->dists[TP_MEASURE_SCHED]);
        bool is_first = ns == latest_ns && latest != TP_INTERN_NONE &&
                        tp_totals_compare_texts(s, g->name, latest) < 0;
        if (ns > latest_ns || is_first) {
            latest = g->name;
            latest_ns = ns;
        }
    }
    return latest;
}

// Adds the time of long runs to the shares of the functions that ran.
static bool add_runs(struct tp_shares *places, const struct tp_totals *s,
                     enum tp_evidence evidence)
{
    struct tp_evidence_walk walk = {.s = s, .evidence = evidence};
    bool fits = true;
    while (fits && tp_evidence_next(&walk)) {
        struct tp_source_place place = tp_run_place(&walk);
        fits = tp_shares_add(places, &place, walk.dist->total_ns);
    }
    return fits;
}

// Returns the time for which goroutines waited for each other, in ns: for locks and channels, without
// idle waits and those that nobody ended.
static tp_wide sync_ns(const struct tp_totals *s)
{
    tp_wide ns = 0;
    for (uint32_t i = 0; i < s->by_stack.count; i++) {
        const struct tp_stack_count *c = &s->by_stack.items[i];
        unsigned type = tp_stack_count_type(c);
        if (type == TP_STACK_SYNC && !tp_stack_is_idle(s, tp_stack_count_stack(c), type))
            ns = tp_wide_add(ns, c->total_ns);
    }
    return ns;
}

// Sets the function that queued most: the goroutines that it woke or created lost, by waits of at least
// TP_LATE_NS, half of all time for which goroutines waited for a P. False: out of memory.
static bool set_maker(struct tp_found *found, const struct tp_totals *s)
{
    struct tp_evidence_walk walk = {.s = s, .evidence = TP_EVIDENCE_LATE};
    struct tp_shares makers = {0};
    bool fits = true;
    while (fits && tp_evidence_next(&walk)) {
        struct tp_source_place maker = tp_source_place_of(s, walk.stack, TP_STACK_SCHED);
        if (tp_stack_has_program(s, walk.stack))
            fits = tp_shares_add(&makers, &maker, walk.dist->total_ns);
    }
    struct tp_source_place most = tp_shares_greatest(&makers, s);
    if (most.function != TP_INTERN_NONE && tp_shares_of(&makers, s, &most) >= found->lost / 2)
        found->other = most;
    tp_free(makers.items);
    return fits;
}

// Returns how often a goroutine that no goroutine woke waited for a P for at least TP_LATE_NS.
static uint64_t outside_late(const struct tp_totals *s)
{
    struct tp_evidence_walk walk = {.s = s, .evidence = TP_EVIDENCE_LATE};
    uint64_t count = 0;
    while (tp_evidence_next(&walk)) {
        if (walk.stack != TP_INTERN_NONE && !tp_stack_has_frames(s, walk.stack))
            count += walk.dist->count;
    }
    return count;
}

// Whether any goroutine of the group waits for the network or for a time.
static bool waits_outside(const struct tp_totals *s, const struct tp_durations_group *g)
{
    struct tp_durations_walk walk = {.group = g};
    bool waits = false;
    while (!waits && tp_durations_walk_next(&walk)) {
        if (walk.measure < TP_MEASURE_FIRST_BLOCK)
            continue;
        struct tp_span reason = tp_intern_text(&s->reasons, walk.measure - TP_MEASURE_FIRST_BLOCK);
        waits = tp_span_is(reason, "network") || tp_span_is(reason, "sleep");
    }
    return waits;
}

// Whether the program serves: some of its goroutines wait for the network or for a time. In a batch
// only those of the runtime and of the tracer do.
static bool serves(const struct tp_totals *s)
{
    bool is = false;
    for (uint32_t i = 0; i < s->durations.groups.count && !is; i++) {
        const struct tp_durations_group *g = &s->durations.groups.items[i];
        is = g->space == TP_SPACE_GOROUTINE && waits_outside(s, g) &&
             !tp_is_housekeeping(tp_totals_group_name(s, g));
    }
    return is;
}

// Sets when most goroutines waited for a P at once, and how many. In a damaged input the peak may be of
// goroutines whose next events are lost.
static void set_peak(struct tp_found *found, const struct tp_totals *s)
{
    for (uint32_t i = 0; i < s->durations.groups.count; i++) {
        const struct tp_durations_group *g = &s->durations.groups.items[i];
        if (g->space != TP_SPACE_PEAK || g->dist_count <= TP_PEAK_WIDTH ||
            g->dists[TP_PEAK_OF_ALL] == NULL)
            continue;
        tp_found_set_worst(found, g->dists[TP_PEAK_OF_ALL]);
        found->peak = found->worst.ns;
        found->worst.ns = g->dists[TP_PEAK_WIDTH]->max_ns;
    }
}

// Returns the time for which Ps were in use, without idle mark workers: system calls that keep a P count, because
// goroutines wait for that P, too.
static tp_wide busy_ns(const struct tp_judging *j)
{
    tp_wide used_ns = tp_judging_used_ns(j), ps_ns = j->row->figures[TP_FILE_PROCS_USED];
    tp_wide idle_ns = j->row->figures[TP_FILE_IDLE_WORKERS];
    return ps_ns > idle_ns && ps_ns - idle_ns > used_ns ? ps_ns - idle_ns : used_ns;
}

bool tp_judge_few_ps(struct tp_judging *j)
{
    const tp_wide *f = j->figures;
    if (!tp_judging_knows_procs(j))
        return true;
    struct tp_found found = tp_found_of(TP_FINDS_FEW_PS);
    found.lost = f[TP_FILE_SCHEDULING];
    if (!j->row->is_damaged)
        set_peak(&found, j->s);
    found.count = tp_judging_count(j, TP_FILE_SCHEDULINGS);
    found.value_ppm = tp_ppm_of(found.lost, tp_file_capacity_ns(j->row));
    found.victim.function = latest_function(j->s);
    found.detail[0] = tp_ppm_of(f[TP_FILE_PROCS], f[TP_FILE_PROCS_KNOWN]) / 1000;
    found.detail[1] = tp_ppm_of(busy_ns(j), tp_file_capacity_ns(j->row));
    tp_wide busy_ns = tp_wide_add(tp_judging_used_ns(j),
                                  tp_wide_add(f[TP_FILE_SCHEDULING], sync_ns(j->s)));
    bool is_outside = serves(j->s) && outside_late(j->s) > j->input->lost_stack_count;
    bool is_doubtful = !is_outside && j->input->lost_stack_count > 0;
    uint64_t nearness = tp_lesser(tp_nearness(found.lost, busy_ns / 100 * LOST_PERCENT),
                                  is_outside || is_doubtful ? TP_HOLDS : 0);
    struct tp_shares shares = {0};
    bool fits = add_runs(&shares, j->s, TP_EVIDENCE_LONG_RUN) &&
                add_runs(&shares, j->s, TP_EVIDENCE_LONG_RUN_PREEMPTED);
    if (fits)
        found.culprit = tp_shares_greatest(&shares, j->s);
    tp_free(shares.items);
    fits = fits && set_maker(&found, j->s) && tp_judging_add(j, &found, nearness);
    if (fits && is_doubtful)
        tp_judging_doubt(j, TP_FINDS_FEW_PS);
    return fits;
}
