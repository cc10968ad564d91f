#include "stats/findings/judging.h"

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

bool tp_judging_add(struct tp_judging *j, const struct tp_found *found, uint64_t nearness_ppm)
{
    uint64_t *kept = &j->row->values[found->kind], value = found->value_ppm;
    uint64_t threshold = tp_finding_kinds[found->kind].threshold_ppm;
    bool holds = nearness_ppm >= TP_HOLDS;
    if (!holds)
        value = (uint64_t)((tp_wide)(value < threshold ? value : threshold) * nearness_ppm / TP_HOLDS);
    if (*kept == TP_VALUE_NONE || value > *kept)
        *kept = value;
    return !holds || value < threshold ||
           TP_LIST_ADD(&j->found, (struct tp_judged){.found = *found, .stack = TP_INTERN_NONE});
}

void tp_judging_note(struct tp_judging *j, enum tp_finding_kind kind)
{
    if (j->row->values[kind] == TP_VALUE_NONE)
        j->row->values[kind] = 0;
}

bool tp_judging_knows_procs(const struct tp_judging *j)
{
    const tp_wide *f = j->row->figures;
    return f[TP_FILE_PROCS_KNOWN] > 0 && f[TP_FILE_PROCS_KNOWN] >= f[TP_FILE_DURATION] / 2;
}

tp_wide tp_judging_used_ns(const struct tp_judging *j)
{
    const tp_wide *f = j->row->figures;
    return f[TP_FILE_RUNNING] > f[TP_FILE_IDLE_WORKERS]
               ? f[TP_FILE_RUNNING] - f[TP_FILE_IDLE_WORKERS]
               : 0;
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
