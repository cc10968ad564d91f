// GC pressure: the garbage collector takes a large part of the CPU time that the program uses.
#include "base/alloc.h"
#include "stats/findings/evidence_walk.h"

// The least part of capacity, in hundredths: a collector that takes half of nothing slows nobody.
#define LEAST_CAPACITY 5
#define SMALL_GROWTH_PPM 300000
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

// Returns the number of cycles whose stack at their first stop of the world has runtime.GC, which
// lets a program force them, and adds who called it to *callers. False: out of memory.
static bool find_forcers(const struct tp_totals *s, struct tp_shares *callers, uint64_t *ret_forced)
{
    struct tp_evidence_walk walk = {.s = s, .evidence = TP_EVIDENCE_STOP_GC};
    uint32_t forcer = tp_intern_find(&s->names, tp_span_of_text("runtime.GC"));
    bool fits = true;
    *ret_forced = 0;
    while (fits && tp_evidence_next(&walk)) {
        if (forcer == TP_INTERN_NONE || !tp_stack_has_function(s, walk.stack, forcer))
            continue;
        struct tp_source_place place = tp_source_place_outside_runtime(s, walk.stack);
        *ret_forced += walk.dist->count;
        fits = tp_shares_add(callers, &place, walk.dist->count);
    }
    return fits;
}

// Returns by how much the heap grows between cycles, in millionths; 0: by as much as it does by
// default, or it is not known. By default it nearly doubles; where the greatest heap is below 1.3 times
// the least, GOGC or GOMEMLIMIT keeps it there.
static uint64_t small_growth_ppm(const struct tp_totals *s)
{
    const struct tp_gauge *heap = &s->timeline.gauges[TP_GAUGE_HEAP];
    if (heap->count == 0 || heap->least == 0)
        return 0;
    uint64_t growth_ppm = tp_ppm_of(heap->greatest - heap->least, heap->least);
    return growth_ppm < SMALL_GROWTH_PPM ? growth_ppm : 0;
}

// Finds who is to blame: whoever forced most cycles, or else the allocator.
static bool find_culprit(const struct tp_totals *s, struct tp_found *found)
{
    struct tp_shares callers = {0};
    uint64_t forced = 0;
    bool fits = find_forcers(s, &callers, &forced);
    if (fits && forced > 0 && forced >= found->count - forced)
        found->culprit = found->other = tp_shares_greatest(&callers, s);
    else
        fits = fits && find_allocator(s, found);
    if (found->other.function == TP_INTERN_NONE)
        found->detail[0] = small_growth_ppm(s);
    tp_free(callers.items);
    return fits;
}

// Returns the concurrent marks, of which all have one name; NULL: there are none.
static const struct tp_dist *longest_cycle(const struct tp_totals *s)
{
    const struct tp_dist *longest = NULL;
    for (uint32_t i = 0; i < s->durations.groups.count; i++) {
        const struct tp_durations_group *g = &s->durations.groups.items[i];
        if (g->space == TP_SPACE_MARK && g->dist_count > 0)
            longest = g->dists[0];
    }
    return longest;
}

bool tp_judge_gc(struct tp_judging *j)
{
    const tp_wide *f = j->figures;
    struct tp_found found = tp_found_of(TP_FINDS_GC);
    tp_wide idle = f[TP_FILE_IDLE_WORKERS], capacity_ns = tp_file_capacity_ns(j->row);
    if (!tp_judging_knows_procs(j))
        return true;
    found.lost = f[TP_FILE_COLLECTOR] > idle ? f[TP_FILE_COLLECTOR] - idle : 0;
    found.count = tp_judging_count(j, TP_FILE_MARKS);
    found.value_ppm = tp_ppm_of(found.lost, tp_judging_used_ns(j));
    tp_found_set_worst(&found, longest_cycle(j->s));
    uint64_t least = f[TP_FILE_DURATION] >= ONE_CYCLE_NS ? 1 : LEAST_CYCLES;
    tp_judging_note(j, TP_FINDS_GC);
    // Where runs are lost, the collector may seem to take more than all the CPU time.
    return found.count < least || found.lost > tp_judging_used_ns(j) ||
           (find_culprit(j->s, &found) &&
            tp_judging_add(j, &found, tp_nearness(found.lost, capacity_ns / 100 * LEAST_CAPACITY)));
}
