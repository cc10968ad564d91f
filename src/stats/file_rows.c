#include "stats/file_rows.h"

#include <string.h>

#include "stats/evidence.h"
#include "stats/figures/stack_sums.h"
#include "stats/file_tasks.h"
#include "stats/idle_waits.h"
#include "stats/names/collector_name.h"
#include "base/text/system_name.h"
#include "stats/totals.h"

// LOCKS

static bool is_of_sync(unsigned type)
{
    return type == TP_STACK_SYNC || type == TP_STACK_SYNC_OPEN;
}

static void add_lock(struct tp_file_row *row, uint64_t count, tp_wide ns)
{
    row->figures[TP_FILE_LOCKED] += ns;
    row->figures[TP_FILE_LOCKS] += count;
}

static void add_stacks(struct tp_file_row *row, const struct tp_totals *s)
{
    for (uint32_t i = 0; i < s->by_stack.count; i++) {
        const struct tp_stack_count *c = &s->by_stack.items[i];
        unsigned type = tp_stack_count_type(c);
        bool is_lock = false;
        // Findings are weighed against these figures, and do not count waits from before the trace.
        if (type != TP_STACK_BEFORE && tp_stack_is_listed_idle(s, tp_stack_count_stack(c), type))
            row->figures[TP_FILE_IDLE_WAITS] =
                tp_wide_add(row->figures[TP_FILE_IDLE_WAITS], c->total_ns);
        if (is_of_sync(type))
            (void)tp_totals_place_of(s, tp_stack_count_stack(c), type, &is_lock);
        if (is_lock)
            add_lock(row, c->count, c->total_ns);
    }
}

// Adds the waits of stacks that were not kept. They were recorded by whether they are for a lock
// (names/stack_places.h).
static void add_coarse(struct tp_file_row *row, const struct tp_durations_walk *at)
{
    if (is_of_sync(tp_coarse_type(at->measure)) && tp_coarse_is_lock(at->measure))
        add_lock(row, at->dist->count, at->dist->total_ns);
}

// FIGURES

static void add_goroutine(struct tp_file_row *row, const struct tp_totals *s,
                          const struct tp_durations_walk *at)
{
    struct tp_span function = tp_totals_group_name(s, at->group);
    const struct tp_dist *d = at->dist;
    tp_wide ns = tp_dist_all_ns(d), count = tp_dist_all_count(d);
    tp_wide *f = row->figures;
    bool is_wait = at->measure == TP_MEASURE_SYSCALL || at->measure >= TP_MEASURE_FIRST_BLOCK;
    if (is_wait && tp_is_housekeeping(function))
        f[TP_FILE_IDLE_WAITS] = tp_wide_add(f[TP_FILE_IDLE_WAITS], ns);
    switch (at->measure) {
    case TP_MEASURE_RUN:
        f[TP_FILE_RUNNING] += ns;
        if (tp_collector_part_of(function) != TP_COLLECTOR_PART_COUNT)
            f[TP_FILE_COLLECTOR] += ns;
        break;
    case TP_MEASURE_SCHED:
        f[TP_FILE_SCHEDULING] += ns;
        f[TP_FILE_SCHEDULINGS] += count;
        break;
    case TP_MEASURE_SYSCALL:
        f[TP_FILE_SYSCALL] += ns;
        f[TP_FILE_SYSCALLS] += count;
        break;
    case TP_MEASURE_LIFE: f[TP_FILE_GOROUTINES] += count; break;
    default: f[TP_FILE_BLOCKED] += ns; break;
    }
}

static void add_phase(struct tp_file_row *row, enum tp_durations_space space, uint32_t measure,
                      const struct tp_dist *d)
{
    tp_wide ns = tp_dist_all_ns(d), count = tp_dist_all_count(d);
    tp_wide *f = row->figures;
    switch (space) {
    case TP_SPACE_ASSIST: f[TP_FILE_ASSISTS] += ns; break;
    case TP_SPACE_MARK: f[TP_FILE_MARKS] += count; break;
    case TP_SPACE_EVIDENCE:
        if (measure == TP_EVIDENCE_IDLE_WORKER)
            f[TP_FILE_IDLE_WORKERS] = tp_wide_add(f[TP_FILE_IDLE_WORKERS], ns);
        break;
    case TP_SPACE_TASK: f[TP_FILE_TASKS] = tp_wide_add(f[TP_FILE_TASKS], d->total_ns); break;
    case TP_SPACE_PAUSE:
        f[TP_FILE_STOPPED] += ns;
        f[TP_FILE_STOPS] += count;
        break;
    default: break;
    }
}

static void add_durations(struct tp_file_row *row, const struct tp_totals *s)
{
    for (uint32_t i = 0; i < s->durations.groups.count; i++) {
        const struct tp_durations_group *g = &s->durations.groups.items[i];
        struct tp_durations_walk walk = {.group = g};
        while (tp_durations_walk_next(&walk)) {
            if (g->space == TP_SPACE_GOROUTINE)
                add_goroutine(row, s, &walk);
            else if (g->space == TP_SPACE_COARSE)
                add_coarse(row, &walk);
            else
                add_phase(row, (enum tp_durations_space)g->space, walk.measure, walk.dist);
        }
    }
}

// Returns the mean number of blocked goroutines from one bucket to before another, in thousandths.
static uint64_t blocked_between(const struct tp_timeline *t, uint32_t first, uint32_t end)
{
    struct tp_timeline_bucket sum = {0};
    for (uint32_t i = first; i < end; i++)
        tp_timeline_add_bucket(&sum, &t->buckets.items[i]);
    return tp_wide_ratio(sum.totals[TP_LEVEL_BLOCKED], 1000, sum.totals[TP_LEVEL_COVERED]);
}

static void add_timeline(struct tp_file_row *row, const struct tp_totals *s)
{
    static const struct {
        enum tp_file_figure figure;
        enum tp_level level;
    } integrals[] = {
        {TP_FILE_PROCS, TP_LEVEL_GOMAXPROCS}, {TP_FILE_PROCS_KNOWN, TP_LEVEL_GOMAXPROCS_KNOWN},
        {TP_FILE_PROCS_USED, TP_LEVEL_PROCS}, {TP_FILE_HEAP, TP_LEVEL_HEAP},
        {TP_FILE_HEAP_KNOWN, TP_LEVEL_HEAP_KNOWN},
    };
    tp_wide *f = row->figures;
    uint32_t count = s->timeline.buckets.count, quarter = count / 4;
    for (uint32_t i = 0; i < count; i++) {
        for (size_t k = 0; k < TP_ARRAY_LEN(integrals); k++) {
            tp_wide *sum = &f[integrals[k].figure];
            *sum = tp_wide_add(*sum, s->timeline.buckets.items[i].totals[integrals[k].level]);
        }
    }
    uint64_t before = blocked_between(&s->timeline, 0, quarter);
    uint64_t after = blocked_between(&s->timeline, count - quarter, count);
    f[TP_FILE_GREW] = after > before ? after - before : 0;
    if (f[TP_FILE_PROCS] == 0)
        f[TP_FILE_PROCS] = s->duration_ns;
}

bool tp_totals_add_file(struct tp_totals *s, const char *path)
{
    struct tp_file_row row = {.path = tp_intern_put(&s->names, tp_span_of_text(path)),
                              .host = TP_INTERN_NONE,
                              .grouped_by = TP_INTERN_NONE,
                              .is_damaged = s->damaged_count > 0,
                              .taken = s->taken,
                              .begin = TP_NO_MOMENT};
    row.figures[TP_FILE_EVENTS] = s->event_count;
    row.figures[TP_FILE_LOST_BYTES] = s->lost_bytes;
    row.figures[TP_FILE_UNORDERED_BYTES] = s->unordered_bytes;
    row.figures[TP_FILE_DURATION] = s->duration_ns;
    row.figures[TP_FILE_COLLECTOR] = s->utilisation.assist_ns;
    for (unsigned i = 0; i < TP_FINDS_COUNT; i++)
        row.values[i] = TP_VALUE_NONE;
    add_timeline(&row, s);
    add_durations(&row, s);
    add_stacks(&row, s);
    return row.path != TP_INTERN_NONE && TP_LIST_ADD(&s->files, row) &&
           tp_totals_add_file_tasks(s, row.path);
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
