// Findings that a figure of the whole input shows: GC pressure, system calls, too few Ps.
#include "base/alloc.h"
#include "stats/findings/judging.h"

// GC PRESSURE

#define LEAST_CYCLES 2

bool tp_judge_gc(struct tp_judging *j)
{
    struct tp_found found = tp_found_of(TP_FINDS_GC);
    found.lost = j->row->figures[TP_FILE_COLLECTOR];
    found.count = tp_judging_count(j, TP_FILE_MARKS);
    found.value_ppm = tp_ppm_of(found.lost, tp_file_capacity_ns(j->row));
    return found.count < LEAST_CYCLES || tp_judging_add(j, &found);
}

// SYSTEM CALLS

static bool add_stacks(struct tp_shares *shares, const struct tp_totals *s)
{
    bool fits = true;
    for (uint32_t i = 0; i < s->by_stack.count && fits; i++) {
        const struct tp_stack_count *c = &s->by_stack.items[i];
        unsigned type = tp_stack_count_type(c);
        if (type != TP_STACK_SYSCALL && type != TP_STACK_SYSCALL_OPEN)
            continue;
        struct tp_source_place place = tp_source_place_of(s, tp_stack_count_stack(c), type);
        fits = tp_shares_add(shares, &place, c->total_ns);
    }
    return fits;
}

// Adds the system calls of stacks that were not kept: only the function of their place is known.
static bool add_coarse(struct tp_shares *shares, const struct tp_totals *s)
{
    bool fits = true;
    for (uint32_t i = 0; i < s->durations.groups.count; i++) {
        const struct tp_durations_group *g = &s->durations.groups.items[i];
        struct tp_durations_walk walk = {.group = g};
        if (g->space != TP_SPACE_COARSE || g->name == TP_TOTALS_OTHERS)
            continue;
        const struct tp_source_place place = {g->name, TP_INTERN_NONE, 0};
        while (fits && tp_durations_walk_next(&walk)) {
            unsigned type = tp_coarse_type(walk.measure);
            if (type == TP_STACK_SYSCALL || type == TP_STACK_SYSCALL_OPEN)
                fits = tp_shares_add(shares, &place, walk.dist->total_ns);
        }
    }
    return fits;
}

bool tp_judge_syscall(struct tp_judging *j)
{
    const tp_wide *f = j->row->figures;
    struct tp_found found = tp_found_of(TP_FINDS_SYSCALL);
    found.lost = f[TP_FILE_SYSCALL];
    found.count = tp_judging_count(j, TP_FILE_SYSCALLS);
    found.value_ppm = tp_ppm_of(found.lost, f[TP_FILE_DURATION]);
    struct tp_shares shares = {0};
    bool fits = add_stacks(&shares, j->s) && add_coarse(&shares, j->s);
    if (fits)
        found.culprit = found.victim = tp_shares_greatest(&shares, j->s);
    tp_free(shares.items);
    return fits && tp_judging_add(j, &found);
}

// TOO FEW PS

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

bool tp_judge_few_ps(struct tp_judging *j)
{
    const tp_wide *f = j->row->figures;
    if (f[TP_FILE_CROWDED] < f[TP_FILE_DURATION] / 2 + f[TP_FILE_DURATION] % 2)
        return true;
    struct tp_found found = tp_found_of(TP_FINDS_FEW_PS);
    found.lost = f[TP_FILE_SCHEDULING];
    found.count = tp_judging_count(j, TP_FILE_SCHEDULINGS);
    found.value_ppm = tp_ppm_of(found.lost, tp_file_capacity_ns(j->row));
    found.victim.function = latest_function(j->s);
    return tp_judging_add(j, &found);
}
