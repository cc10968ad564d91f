#include "stats/file_rows.h"

#include <string.h>

#include "stats/collector_name.h"
#include "stats/idle_waits.h"
#include "stats/stack_sums.h"
#include "stats/system_name.h"
#include "stats/totals.h"

// PLACES

// Adds time to the share of a function. `shares` has numbers of names in place of numbers of
// stacks. Ignores time without a function, and time of names that are not kept (TP_TOTALS_OTHERS).
static bool add_share(struct tp_stack_counts *shares, uint32_t function, tp_wide ns)
{
    return function == TP_INTERN_NONE || function == TP_TOTALS_OTHERS ||
           tp_stack_counts_add(shares, function, 0, 1, ns);
}

static uint32_t largest_share(const struct tp_totals *s, const struct tp_stack_counts *shares)
{
    uint32_t best = TP_INTERN_NONE;
    tp_wide best_ns = 0;
    for (uint32_t i = 0; i < shares->count; i++) {
        const struct tp_stack_count *c = &shares->items[i];
        uint32_t function = tp_stack_count_stack(c);
        if (c->total_ns == 0 || c->total_ns < best_ns ||
            (c->total_ns == best_ns && tp_span_compare(tp_intern_text(&s->names, function),
                                                       tp_intern_text(&s->names, best)) > 0))
            continue;
        best = function;
        best_ns = c->total_ns;
    }
    return best;
}

// Returns the finding that waits of this type contribute to; TP_FINDING_COUNT: none.
static enum tp_finding finding_of(unsigned type)
{
    switch ((enum tp_stack_type)type) {
    case TP_STACK_SYNC:
    case TP_STACK_SYNC_OPEN: return TP_FINDING_LOCK;
    case TP_STACK_SYSCALL:
    case TP_STACK_SYSCALL_OPEN: return TP_FINDING_SYSCALL;
    default: return TP_FINDING_COUNT;
    }
}

// The waits for one finding in one function.
struct waits {
    enum tp_finding finding;
    bool is_lock;
    uint32_t function;
    uint64_t count;
    tp_wide ns;
};

static bool add_waits(struct tp_file_row *row, struct tp_stack_counts shares[TP_FINDING_COUNT],
                      struct waits w)
{
    if (w.finding == TP_FINDING_LOCK) {
        if (!w.is_lock)
            return true;
        row->figures[TP_FILE_LOCKED] += w.ns;
        row->figures[TP_FILE_LOCKS] += w.count;
    }
    return add_share(&shares[w.finding], w.function, w.ns);
}

static bool add_stacks(struct tp_file_row *row, const struct tp_totals *s,
                       struct tp_stack_counts shares[TP_FINDING_COUNT])
{
    bool fits = true;
    for (uint32_t i = 0; i < s->by_stack.count && fits; i++) {
        const struct tp_stack_count *c = &s->by_stack.items[i];
        enum tp_finding finding = finding_of(tp_stack_count_type(c));
        bool is_lock;
        if (tp_stack_is_listed_idle(s, tp_stack_count_stack(c), tp_stack_count_type(c)))
            row->figures[TP_FILE_IDLE_WAITS] =
                tp_wide_add(row->figures[TP_FILE_IDLE_WAITS], c->total_ns);
        if (finding == TP_FINDING_COUNT)
            continue;
        uint32_t function =
            tp_totals_place_of(s, tp_stack_count_stack(c), tp_stack_count_type(c), &is_lock);
        fits = add_waits(row, shares,
                         (struct waits){finding, is_lock, function, c->count, c->total_ns});
    }
    return fits;
}

// Adds the waits of stacks that were not kept. They were recorded by place (stack_places.h). A row
// needs no more than that, so it is as exact as with the stacks.
static bool add_coarse(struct tp_file_row *row, struct tp_stack_counts shares[TP_FINDING_COUNT],
                       const struct tp_durations_walk *at)
{
    enum tp_finding finding = finding_of(tp_coarse_type(at->measure));
    return finding == TP_FINDING_COUNT ||
           add_waits(row, shares,
                     (struct waits){finding, tp_coarse_is_lock(at->measure), at->group->name,
                                    at->dist->count, at->dist->total_ns});
}

// FIGURES

static bool add_goroutine(struct tp_file_row *row, const struct tp_totals *s,
                          struct tp_stack_counts shares[TP_FINDING_COUNT],
                          const struct tp_durations_walk *at)
{
    const struct tp_durations_group *g = at->group;
    struct tp_span function = tp_totals_group_name(s, g);
    const struct tp_dist *d = at->dist;
    tp_wide ns = tp_dist_all_ns(d), count = tp_dist_all_count(d);
    tp_wide *f = row->figures;
    bool is_wait = at->measure == TP_MEASURE_SYSCALL || at->measure >= TP_MEASURE_FIRST_BLOCK;
    if (is_wait && tp_is_housekeeping(function))
        f[TP_FILE_IDLE_WAITS] = tp_wide_add(f[TP_FILE_IDLE_WAITS], ns);
    switch (at->measure) {
    case TP_MEASURE_RUN:
        f[TP_FILE_RUNNING] += ns;
        if (tp_collector_part_of(function) != TP_COLLECTOR_PART_COUNT) {
            f[TP_FILE_COLLECTOR] += ns;
            return true;
        }
        return add_share(&shares[TP_FINDING_COLLECTOR], g->name, ns);
    case TP_MEASURE_SCHED:
        f[TP_FILE_SCHEDULING] += ns;
        f[TP_FILE_SCHEDULINGS] += count;
        return add_share(&shares[TP_FINDING_P], g->name, ns);
    case TP_MEASURE_SYSCALL:
        f[TP_FILE_SYSCALL] += ns;
        f[TP_FILE_SYSCALLS] += count;
        return true;
    case TP_MEASURE_LIFE: f[TP_FILE_GOROUTINES] += count; return true;
    default: f[TP_FILE_BLOCKED] += ns; return true;
    }
}

static void add_phase(struct tp_file_row *row, enum tp_durations_space space,
                      const struct tp_dist *d)
{
    tp_wide ns = tp_dist_all_ns(d), count = tp_dist_all_count(d);
    tp_wide *f = row->figures;
    switch (space) {
    case TP_SPACE_ASSIST: f[TP_FILE_ASSISTS] += ns; break;
    case TP_SPACE_MARK: f[TP_FILE_MARKS] += count; break;
    case TP_SPACE_TASK: f[TP_FILE_TASKS] = tp_wide_add(f[TP_FILE_TASKS], d->total_ns); break;
    case TP_SPACE_PAUSE:
        f[TP_FILE_STOPPED] += ns;
        f[TP_FILE_STOPS] += count;
        break;
    default: break;
    }
}

static bool add_durations(struct tp_file_row *row, const struct tp_totals *s,
                          struct tp_stack_counts shares[TP_FINDING_COUNT])
{
    bool fits = true;
    for (uint32_t i = 0; i < s->durations.groups.count; i++) {
        const struct tp_durations_group *g = &s->durations.groups.items[i];
        struct tp_durations_walk walk = {.group = g};
        while (fits && tp_durations_walk_next(&walk)) {
            if (g->space == TP_SPACE_GOROUTINE)
                fits = add_goroutine(row, s, shares, &walk);
            else if (g->space == TP_SPACE_COARSE)
                fits = add_coarse(row, shares, &walk);
            else
                add_phase(row, (enum tp_durations_space)g->space, walk.dist);
        }
    }
    return fits;
}

static void add_timeline(struct tp_file_row *row, const struct tp_totals *s)
{
    tp_wide *f = row->figures;
    for (uint32_t i = 0; i < s->timeline.buckets.count; i++) {
        const tp_wide *totals = s->timeline.buckets.items[i].totals;
        tp_wide procs = totals[TP_LEVEL_GOMAXPROCS];
        f[TP_FILE_PROCS] = tp_wide_add(f[TP_FILE_PROCS], procs);
        f[TP_FILE_PROCS_KNOWN] =
            tp_wide_add(f[TP_FILE_PROCS_KNOWN], totals[TP_LEVEL_GOMAXPROCS_KNOWN]);
        if (procs > 0 && totals[TP_LEVEL_RUNNABLE] >= procs / 2 + procs % 2)
            f[TP_FILE_CROWDED] = tp_wide_add(f[TP_FILE_CROWDED], totals[TP_LEVEL_COVERED]);
    }
    if (f[TP_FILE_PROCS] == 0) {
        f[TP_FILE_PROCS] = s->duration_ns;
        f[TP_FILE_PROCS_KNOWN] = s->duration_ns;
    }
}

bool tp_totals_add_file(struct tp_totals *s, const char *path)
{
    struct tp_stack_counts shares[TP_FINDING_COUNT] = {0};
    struct tp_file_row row = {.path = tp_intern_put(&s->names, tp_span_of_text(path))};
    row.figures[TP_FILE_EVENTS] = s->event_count;
    row.figures[TP_FILE_LOST_BYTES] = s->lost_bytes;
    row.figures[TP_FILE_DURATION] = s->duration_ns;
    row.figures[TP_FILE_COLLECTOR] = s->utilisation.assist_ns;
    for (unsigned i = 0; i < TP_FINDS_COUNT; i++)
        row.values[i] = TP_VALUE_NONE;
    add_timeline(&row, s);
    bool fits =
        row.path != TP_INTERN_NONE && add_durations(&row, s, shares) && add_stacks(&row, s, shares);
    for (unsigned i = 0; i < TP_FINDING_COUNT; i++) {
        row.places[i] = fits ? largest_share(s, &shares[i]) : TP_INTERN_NONE;
        tp_stack_counts_fini(&shares[i]);
    }
    return fits && TP_LIST_ADD(&s->files, row);
}

bool tp_totals_add_refused(struct tp_totals *s, const char *path, const struct tp_error *why)
{
    const char *words = tp_error_words(why);
    struct tp_refused_row row = {
        .path = tp_intern_put(&s->names, tp_span_of_text(path)),
        .words = tp_intern_put(&s->names, tp_span_of_text(words)),
        .code = why->code,
    };
    if (row.path == TP_INTERN_NONE || row.words == TP_INTERN_NONE || !TP_LIST_ADD(&s->refused, row))
        return false;
    s->refused_count++;
    return true;
}
