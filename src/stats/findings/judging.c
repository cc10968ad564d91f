#include "stats/findings/judging.h"

#include <string.h>

#include "stats/names/collector_name.h"

struct tp_found tp_found_of(enum tp_finding_kind kind)
{
    return (struct tp_found){.kind = (uint32_t)kind,
                             .path = TP_INTERN_NONE,
                             .worst = TP_WORST_NONE,
                             .culprit = TP_SOURCE_PLACE_NONE,
                             .victim = TP_SOURCE_PLACE_NONE,
                             .other = TP_SOURCE_PLACE_NONE};
}

void tp_found_set_worst(struct tp_found *found, const struct tp_dist *d)
{
    if (d != NULL && d->max_ns > 0 && d->max_at != TP_NO_MOMENT)
        found->worst = (struct tp_worst){d->max_ns, d->max_at, TP_NO_WALL_NS};
}

void tp_found_set_times(struct tp_found *found, const struct tp_dist *d)
{
    tp_found_set_worst(found, d);
    found->count = d->count;
    found->max_ns = d->max_ns;
    found->p99_ns = tp_dist_quantile_ns(d, 990);
    found->lost = d->total_ns;
}

uint64_t tp_nearness(tp_wide part, tp_wide whole)
{
    uint64_t ppm = part < whole ? tp_ppm_of(part, whole) : TP_HOLDS;
    // A part that rounds to the whole is none.
    return part < whole && ppm >= TP_HOLDS ? TP_HOLDS - 1 : ppm;
}

static bool is_name_lost(const struct tp_judging *j, const struct tp_source_place *place)
{
    return j->row->is_damaged && place->function != TP_INTERN_NONE &&
           tp_intern_text(&j->s->names, place->function).len_bytes == 0;
}

bool tp_judging_add(struct tp_judging *j, const struct tp_found *found, uint64_t nearness_ppm)
{
    struct tp_judged judged = {.found = *found, .stack = TP_INTERN_NONE};
    uint64_t *kept = &j->row->values[found->kind], value = found->value_ppm;
    uint64_t threshold = tp_finding_kinds[found->kind].threshold_ppm;
    if (is_name_lost(j, &found->culprit)) {
        judged.found.culprit = (struct tp_source_place)TP_SOURCE_PLACE_NONE;
        nearness_ppm = found->kind == TP_FINDS_FEW_PS || found->kind == TP_FINDS_GC ? nearness_ppm : 0;
    }
    bool holds = nearness_ppm >= TP_HOLDS;
    if (!holds)
        value = (uint64_t)((tp_wide)(value < threshold ? value : threshold) * nearness_ppm / TP_HOLDS);
    if (*kept == TP_VALUE_NONE || value > *kept)
        *kept = value;
    return !holds || value < threshold || TP_LIST_ADD(&j->found, judged);
}

void tp_judging_note(struct tp_judging *j, enum tp_finding_kind kind)
{
    if (j->row->values[kind] == TP_VALUE_NONE)
        j->row->values[kind] = 0;
}

void tp_judging_doubt(struct tp_judging *j, enum tp_finding_kind kind)
{
    j->row->values[kind] = TP_VALUE_NONE;
    for (uint32_t i = 0; i < j->found.count; i++) {
        struct tp_judged *judged = &j->found.items[i];
        judged->is_doubtful = judged->is_doubtful || judged->found.kind == (uint32_t)kind;
    }
}

static void subtract(tp_wide *figure, tp_wide ns)
{
    *figure = *figure > ns ? *figure - ns : 0;
}

void tp_judging_set_figures(struct tp_judging *j)
{
    const struct tp_durations *durations = &j->s->durations;
    memcpy(j->figures, j->row->figures, sizeof j->figures);
    for (uint32_t i = 0; i < durations->groups.count && j->row->is_damaged; i++) {
        struct tp_durations_walk walk = {.group = &durations->groups.items[i]};
        if (walk.group->space != TP_SPACE_GOROUTINE)
            continue;
        struct tp_span function = tp_totals_group_name(j->s, walk.group);
        while (tp_durations_walk_next(&walk)) {
            tp_wide cut_ns = tp_dist_cut_ns(walk.dist);
            if (walk.measure == TP_MEASURE_SCHED)
                subtract(&j->figures[TP_FILE_SCHEDULING], cut_ns);
            if (walk.measure != TP_MEASURE_RUN)
                continue;
            subtract(&j->figures[TP_FILE_RUNNING], cut_ns);
            if (tp_collector_part_of(function) != TP_COLLECTOR_PART_COUNT)
                subtract(&j->figures[TP_FILE_COLLECTOR], cut_ns);
        }
    }
}

bool tp_judging_knows_procs(const struct tp_judging *j)
{
    const tp_wide *f = j->row->figures;
    return f[TP_FILE_PROCS_KNOWN] > 0 && f[TP_FILE_PROCS_KNOWN] >= f[TP_FILE_DURATION] / 2;
}

// Returns the time for which Ps were in use, in ns.
static tp_wide procs_ns(const struct tp_totals *s)
{
    tp_wide ns = 0;
    for (uint32_t i = 0; i < s->timeline.buckets.count; i++)
        ns = tp_wide_add(ns, s->timeline.buckets.items[i].totals[TP_LEVEL_PROCS]);
    return ns;
}

tp_wide tp_judging_used_ns(const struct tp_judging *j)
{
    const tp_wide *f = j->row->figures;
    tp_wide running_ns = f[TP_FILE_RUNNING], ps_ns = j->row->is_damaged ? procs_ns(j->s) : 0;
    running_ns = running_ns > ps_ns ? running_ns : ps_ns;
    return running_ns > f[TP_FILE_IDLE_WORKERS] ? running_ns - f[TP_FILE_IDLE_WORKERS] : 0;
}

uint64_t tp_judging_count(const struct tp_judging *j, enum tp_file_figure figure)
{
    return tp_wide_limited(j->row->figures[figure]);
}

uint64_t tp_nearness_of_idle_ps(const struct tp_judging *j)
{
    return tp_nearness(tp_file_capacity_ns(j->row) / 2, tp_judging_used_ns(j));
}

// SUMS

uint64_t tp_ppm_of(tp_wide part, tp_wide whole)
{
    if (whole == 0)
        return 0;
    // Only the figures of a forged state are as large as this.
    for (; part > TP_WIDE_MAX / 1000000; part >>= 1)
        whole >>= 1;
    tp_wide ppm = whole > 0 ? part * 1000000 / whole : TP_WIDE_MAX;
    return ppm < UINT64_MAX ? (uint64_t)ppm : UINT64_MAX - 1;
}

tp_wide tp_file_capacity_ns(const struct tp_file_row *row)
{
    tp_wide procs = row->figures[TP_FILE_PROCS], known = row->figures[TP_FILE_PROCS_KNOWN];
    tp_wide duration = row->figures[TP_FILE_DURATION];
    if (known == 0 || (duration > 0 && procs > TP_WIDE_MAX / duration))
        return procs;
    return procs * duration / known;
}

// Returns the time for which goroutines waited, without idle waits.
static tp_wide waiting_ns(const tp_wide *f)
{
    tp_wide all = tp_wide_add(f[TP_FILE_BLOCKED],
                              tp_wide_add(f[TP_FILE_SYSCALL], f[TP_FILE_SCHEDULING]));
    return all > f[TP_FILE_IDLE_WAITS] ? all - f[TP_FILE_IDLE_WAITS] : 0;
}

tp_wide tp_finding_against(const struct tp_file_row *row, enum tp_finding_kind kind)
{
    const tp_wide *f = row->figures;
    switch (kind) {
    case TP_FINDS_GC:
    case TP_FINDS_P_HOG: return tp_file_capacity_ns(row);
    case TP_FINDS_FEW_PS: return tp_wide_add(f[TP_FILE_SCHEDULING], f[TP_FILE_RUNNING]);
    case TP_FINDS_STOP_THE_WORLD: return f[TP_FILE_DURATION];
    case TP_FINDS_LEAK: return f[TP_FILE_GOROUTINES];
    case TP_FINDS_SLOW_TASK: return f[TP_FILE_TASKS];
    default: return waiting_ns(f);
    }
}
