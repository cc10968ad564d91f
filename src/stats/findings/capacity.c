// Findings that a figure of the whole input shows: GC pressure, system calls, too few Ps.
#include "base/alloc.h"
#include "stats/findings/evidence_walk.h"
#include "stats/idle_waits.h"

// GC PRESSURE

// In a shorter input one cycle does not tell how often they come.
#define LEAST_CYCLES 2
#define ONE_CYCLE_NS 500000000

// How often evidence of a kind has a place, and how often one in the program.
struct told {
    uint64_t count, of_program;
};

static struct told count_told(const struct tp_totals *s, enum tp_evidence evidence)
{
    struct tp_evidence_walk walk = {.s = s, .evidence = evidence};
    struct told told = {0, 0};
    while (tp_evidence_next(&walk)) {
        if (tp_source_place_outside_runtime(s, walk.stack).function == TP_INTERN_NONE)
            continue;
        told.count += walk.dist->count;
        told.of_program += tp_stack_has_program(s, walk.stack) ? walk.dist->count : 0;
    }
    return told;
}

// Finds who allocates, and whose goroutines do so, by how often. The time of assists has waits in
// it, and so does not tell who allocates most. Stacks without a function of the program count only
// if they are most, and then they alone: the culprit is a function of the library.
static bool find_in(const struct tp_totals *s, enum tp_evidence evidence, const struct told *told,
                    struct tp_found *found)
{
    struct tp_evidence_walk walk = {.s = s, .evidence = evidence};
    struct tp_shares places = {0}, starts = {0};
    bool is_of_program = told->of_program >= told->count - told->of_program, fits = true;
    while (fits && tp_evidence_next(&walk)) {
        struct tp_source_place place = tp_source_place_outside_runtime(s, walk.stack);
        if (place.function == TP_INTERN_NONE ||
            tp_stack_has_program(s, walk.stack) != is_of_program)
            continue;
        const struct tp_source_place start = {tp_stack_start_function(s, walk.stack),
                                              TP_INTERN_NONE, 0};
        fits = tp_shares_add(&places, &place, walk.dist->count) &&
               tp_shares_add(&starts, &start, walk.dist->count);
    }
    if (fits) {
        found->culprit = tp_shares_greatest(&places, s);
        if (evidence == TP_EVIDENCE_ASSIST)
            found->victim = tp_shares_greatest(&starts, s);
    }
    tp_free(places.items);
    tp_free(starts.items);
    return fits;
}

// Finds the allocator: the function that had to assist most often or, if no goroutine had to, the
// one that began most cycles.
static bool find_allocator(const struct tp_totals *s, struct tp_found *found)
{
    enum tp_evidence evidence = TP_EVIDENCE_ASSIST;
    struct told told = count_told(s, evidence);
    if (told.count == 0) {
        evidence = TP_EVIDENCE_GC_BEGIN;
        told = count_told(s, evidence);
    }
    return find_in(s, evidence, &told, found);
}

bool tp_judge_gc(struct tp_judging *j)
{
    const tp_wide *f = j->row->figures;
    struct tp_found found = tp_found_of(TP_FINDS_GC);
    tp_wide idle = f[TP_FILE_IDLE_WORKERS];
    found.lost = f[TP_FILE_COLLECTOR] > idle ? f[TP_FILE_COLLECTOR] - idle : 0;
    found.count = tp_judging_count(j, TP_FILE_MARKS);
    found.value_ppm = tp_ppm_of(found.lost, tp_file_capacity_ns(j->row));
    uint64_t least = f[TP_FILE_DURATION] >= ONE_CYCLE_NS ? 1 : LEAST_CYCLES;
    return found.count < least || (find_allocator(j->s, &found) && tp_judging_add(j, &found));
}

// SYSTEM CALLS

static bool is_call(unsigned type)
{
    return type == TP_STACK_SYSCALL || type == TP_STACK_SYSCALL_OPEN;
}

// The system calls of an input that may be a fault.
struct calls {
    struct tp_shares shares; // owned
    tp_wide total_ns;        // of those of unknown places, too
    tp_wide unknown_ns;      // of unknown places
    uint64_t count;
};

// Returns whether calls with this stack count for nothing: those in which the runtime and the
// profiler sleep, and those of which it is not told who made them nor how they end. Mostly these
// are no fault, but goroutines that wait for signals since before the trace.
static bool is_passed_over(const struct tp_totals *s, uint32_t stack, unsigned type)
{
    return tp_stack_is_idle(s, stack, type) ||
           (type == TP_STACK_SYSCALL_OPEN && !tp_stack_has_frames(s, stack));
}

static bool add_calls(struct calls *calls, const struct tp_source_place *place, uint64_t count,
                      tp_wide total_ns)
{
    calls->total_ns = tp_wide_add(calls->total_ns, total_ns);
    if (place->function == TP_INTERN_NONE)
        calls->unknown_ns = tp_wide_add(calls->unknown_ns, total_ns);
    calls->count = count < UINT64_MAX - calls->count ? calls->count + count : UINT64_MAX;
    return tp_shares_add(&calls->shares, place, total_ns);
}

// Adds the system calls of each stack to its place.
static bool add_stacks(struct calls *calls, const struct tp_totals *s)
{
    bool fits = true;
    for (uint32_t i = 0; i < s->by_stack.count && fits; i++) {
        const struct tp_stack_count *c = &s->by_stack.items[i];
        unsigned type = tp_stack_count_type(c);
        uint32_t stack = tp_stack_count_stack(c);
        if (!is_call(type) || is_passed_over(s, stack, type))
            continue;
        struct tp_source_place place = tp_source_place_of(s, stack, type);
        fits = add_calls(calls, &place, c->count, c->total_ns);
    }
    return fits;
}

// Adds the system calls of stacks that were not kept: only the function of their place is known.
static bool add_coarse(struct calls *calls, const struct tp_totals *s)
{
    bool fits = true;
    for (uint32_t i = 0; i < s->durations.groups.count; i++) {
        const struct tp_durations_group *g = &s->durations.groups.items[i];
        struct tp_durations_walk walk = {.group = g};
        struct tp_source_place place = {g->name, TP_INTERN_NONE, 0};
        if (g->space != TP_SPACE_COARSE)
            continue;
        if (g->name == TP_TOTALS_OTHERS)
            place.function = TP_INTERN_NONE;
        while (fits && tp_durations_walk_next(&walk)) {
            if (is_call(tp_coarse_type(walk.measure)))
                fits = add_calls(calls, &place, walk.dist->count, walk.dist->total_ns);
        }
    }
    return fits;
}

bool tp_judge_syscall(struct tp_judging *j)
{
    struct tp_found found = tp_found_of(TP_FINDS_SYSCALL);
    struct calls calls = {0};
    bool fits = add_stacks(&calls, j->s) && add_coarse(&calls, j->s);
    found.lost = calls.total_ns;
    found.count = calls.count;
    found.value_ppm = tp_ppm_of(found.lost, j->row->figures[TP_FILE_DURATION]);
    struct tp_source_place most = TP_SOURCE_PLACE_NONE;
    if (fits)
        most = tp_shares_greatest(&calls.shares, j->s);
    // Nobody is to blame if most of the time is that of calls without a stack.
    if (fits && tp_shares_of(&calls.shares, j->s, &most) >= calls.unknown_ns)
        found.culprit = found.victim = most;
    tp_free(calls.shares.items);
    return fits && tp_judging_add(j, &found);
}

// TOO FEW PS

// The part of the time, in millionths, in which goroutines have to be runnable. A burst, after which
// Ps are free again, is no lack of Ps.
#define CROWDED_PPM 850000

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
                        tp_span_compare(tp_intern_text(&s->names, g->name),
                                        tp_intern_text(&s->names, latest)) < 0;
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

bool tp_judge_few_ps(struct tp_judging *j)
{
    const tp_wide *f = j->row->figures;
    // Whether a bucket of time is crowded is known only from when GOMAXPROCS is known.
    if (f[TP_FILE_PROCS_KNOWN] == 0 ||
        tp_ppm_of(f[TP_FILE_CROWDED], f[TP_FILE_PROCS_KNOWN]) < CROWDED_PPM)
        return true;
    struct tp_found found = tp_found_of(TP_FINDS_FEW_PS);
    found.lost = f[TP_FILE_SCHEDULING];
    found.count = tp_judging_count(j, TP_FILE_SCHEDULINGS);
    found.value_ppm = tp_ppm_of(found.lost, tp_file_capacity_ns(j->row));
    found.victim.function = latest_function(j->s);
    struct tp_shares shares = {0};
    bool fits = add_runs(&shares, j->s, TP_EVIDENCE_LONG_RUN) &&
                add_runs(&shares, j->s, TP_EVIDENCE_LONG_RUN_PREEMPTED);
    if (fits)
        found.culprit = tp_shares_greatest(&shares, j->s);
    tp_free(shares.items);
    return fits && tp_judging_add(j, &found);
}
