// Whoever replays the steps of a trace leaves out the events between them, at which Go
// looks at the utilisation, too. That makes no difference: times increase from event to
// event, so that the last point of a curve holds what was found at the last step.
#include "stats/gc/curve.h"

#include "base/alloc.h"
#include "base/map.h"

#define FIRST_CAPACITY 16

struct proc {
    int64_t busy; // what began less what ended; may fall below 0
    size_t series_idx;
};

struct change {
    int64_t time_ns;
    size_t proc_count;
};

struct tp_gc_curve {
    unsigned flags;
    size_t left;           // of what may be held
    bool has_ended;
    uint64_t sync_number;
    int64_t stw_count;
    struct proc *procs;
    size_t proc_count;
    size_t proc_capacity;
    size_t busy_count;     // Ps with busy > 0
    struct change *changes;
    size_t change_count;
    size_t change_capacity;
    struct tp_util_series *series;
    size_t *capacities;    // of the points of each
    size_t series_count;
    size_t series_capacity;
    struct tp_map assisting;
    struct tp_map workers;
    // Points before this one were lowered to 0, and the change that rules it. Each point
    // is lowered no more often than there are Ps, however many ranges are active.
    size_t lowered_point;
    size_t lowered_change;
};

int tp_gc_curve_create(unsigned flags, size_t most, struct tp_gc_curve **ret,
                       struct tp_error *err)
{
    struct tp_gc_curve *c = tp_alloc_zero(sizeof *c);
    if (c == NULL)
        return tp_fail(err, TP_E_MEMORY, "no memory for a curve of mutator utilisation");
    c->flags = flags;
    c->left = most;
    *ret = c;
    return 0;
}

void tp_gc_curve_destroy(struct tp_gc_curve *c)
{
    if (c == NULL)
        return;
    for (size_t i = 0; i < c->series_count; i++)
        tp_free(c->series[i].points);
    tp_free(c->series);
    tp_free(c->capacities);
    tp_free(c->procs);
    tp_free(c->changes);
    tp_map_fini(&c->assisting);
    tp_map_fini(&c->workers);
    tp_free(c);
}

const struct tp_util_series *tp_gc_curve_borrow_series(const struct tp_gc_curve *c,
                                                       size_t *ret_count)
{
    *ret_count = c->series_count;
    return c->series;
}

// MEMORY

static int fail_memory(struct tp_error *err)
{
    return tp_fail(err, TP_E_MEMORY, "no memory for the curve of mutator utilisation");
}

static int take(struct tp_gc_curve *c, size_t count, struct tp_error *err)
{
    if (count > c->left)
        return tp_fail(err, TP_E_TOO_LARGE,
                       "the curve of mutator utilisation has too many points");
    c->left -= count;
    return 0;
}

// Room for one more of `count` elements.
static bool grow(void *ptr_to_array, size_t count, size_t *capacity, size_t each_bytes)
{
    void **array = ptr_to_array;
    if (count < *capacity)
        return true;
    size_t more = *capacity == 0 ? FIRST_CAPACITY : 2 * *capacity;
    if (more > SIZE_MAX / each_bytes)
        return false;
    void *grown = tp_realloc(*array, more * each_bytes);
    if (grown == NULL)
        return false;
    *array = grown;
    *capacity = more;
    return true;
}

// POINTS

static int append_point(struct tp_gc_curve *c, size_t series_idx, int64_t time_ns,
                        double utilisation, struct tp_error *err)
{
    struct tp_util_series *s = &c->series[series_idx];
    int rc = take(c, 1, err);
    if (rc != 0)
        return rc;
    if (!grow(&s->points, s->point_count, &c->capacities[series_idx], sizeof *s->points))
        return fail_memory(err);
    s->points[s->point_count++] = (struct tp_util_point){time_ns, utilisation};
    return 0;
}

// Series are never empty.
static int add_point(struct tp_gc_curve *c, size_t series_idx, int64_t time_ns,
                     double utilisation, struct tp_error *err)
{
    const struct tp_util_series *s = &c->series[series_idx];
    struct tp_util_point *last = &s->points[s->point_count - 1];
    if (utilisation == last->utilisation)
        return 0;
    if (time_ns != last->time_ns)
        return append_point(c, series_idx, time_ns, utilisation, err);
    if (utilisation < last->utilisation)
        last->utilisation = utilisation;
    return 0;
}

static int begin_series(struct tp_gc_curve *c, int64_t time_ns, struct tp_error *err)
{
    size_t capacity = c->series_capacity;
    if (!grow(&c->capacities, c->series_count, &capacity, sizeof *c->capacities) ||
        !grow(&c->series, c->series_count, &c->series_capacity, sizeof *c->series))
        return fail_memory(err);
    c->series[c->series_count] = (struct tp_util_series){0};
    c->capacities[c->series_count] = 0;
    return append_point(c, c->series_count++, time_ns, 1, err);
}

static bool is_per_proc(const struct tp_gc_curve *c)
{
    return (c->flags & TP_GC_UTIL_PER_PROC) != 0;
}

static int record(struct tp_gc_curve *c, int64_t time_ns, struct tp_error *err)
{
    if (!is_per_proc(c)) {
        size_t gc_count = c->stw_count > 0 ? c->proc_count : c->busy_count;
        return add_point(c, 0, time_ns, 1 - (double)gc_count / (double)c->proc_count, err);
    }
    for (size_t i = 0; i < c->proc_count; i++) {
        bool is_gc = c->stw_count > 0 || c->procs[i].busy > 0;
        int rc = add_point(c, c->procs[i].series_idx, time_ns, is_gc ? 0 : 1, err);
        if (rc != 0)
            return rc;
    }
    return 0;
}

// One P was not the program's from the beginning of the trace until now.
static void lower_points(struct tp_gc_curve *c)
{
    struct tp_util_series *s = &c->series[0];
    size_t change = c->lowered_change;
    bool is_prefix = true;
    for (size_t i = c->lowered_point; i < s->point_count; i++) {
        struct tp_util_point *p = &s->points[i];
        while (change + 1 < c->change_count && c->changes[change + 1].time_ns < p->time_ns)
            change++;
        p->utilisation -= 1 / (double)c->changes[change].proc_count;
        if (p->utilisation < 0)
            p->utilisation = 0;
        if (is_prefix) {
            c->lowered_point = i;
            c->lowered_change = change;
            is_prefix = p->utilisation == 0;
        }
    }
}

// STEPS

static int remove_procs(struct tp_gc_curve *c, int64_t time_ns, size_t count,
                        struct tp_error *err)
{
    for (size_t i = count; i < c->proc_count; i++) {
        c->busy_count -= c->procs[i].busy > 0;
        if (!is_per_proc(c))
            continue;
        int rc = add_point(c, c->procs[i].series_idx, time_ns, 0, err);
        if (rc != 0)
            return rc;
    }
    c->left += c->proc_count - count;
    c->proc_count = count;
    return 0;
}

static int add_proc(struct tp_gc_curve *c, int64_t time_ns, struct tp_error *err)
{
    size_t series_idx = 0;
    int rc = take(c, 1, err);
    if (rc == 0 && (is_per_proc(c) || c->series_count == 0)) {
        series_idx = c->series_count;
        rc = begin_series(c, time_ns, err);
    }
    if (rc != 0)
        return rc;
    if (!grow(&c->procs, c->proc_count, &c->proc_capacity, sizeof *c->procs))
        return fail_memory(err);
    c->procs[c->proc_count++] = (struct proc){0, series_idx};
    return 0;
}

static int set_procs(struct tp_gc_curve *c, int64_t time_ns, uint64_t count,
                     struct tp_error *err)
{
    if (count > c->proc_count && count - c->proc_count > c->left)
        return tp_fail(err, TP_E_TOO_LARGE, "GOMAXPROCS of %llu is too large for a curve",
                       (unsigned long long)count);
    int rc = 0;
    if (count < c->proc_count)
        rc = remove_procs(c, time_ns, (size_t)count, err);
    while (rc == 0 && c->proc_count < count)
        rc = add_proc(c, time_ns, err);
    if (rc != 0 || (c->change_count > 0 && c->changes[c->change_count - 1].proc_count == count))
        return rc;
    if ((rc = take(c, 1, err)) != 0)
        return rc;
    if (!grow(&c->changes, c->change_count, &c->change_capacity, sizeof *c->changes))
        return fail_memory(err);
    c->changes[c->change_count++] = (struct change){time_ns, (size_t)count};
    return 0;
}

static void count_on(struct tp_gc_curve *c, int64_t p, int64_t by)
{
    struct proc *proc = &c->procs[p];
    c->busy_count -= proc->busy > 0;
    proc->busy += by;
    c->busy_count += proc->busy > 0;
}

static int remember(struct tp_gc_curve *c, struct tp_map *goroutines, int64_t g,
                    struct tp_error *err)
{
    if (tp_map_get(goroutines, (uint64_t)g) != TP_MAP_NONE)
        return 0;
    int rc = take(c, 1, err);
    if (rc == 0 && !tp_map_put(goroutines, (uint64_t)g, 0))
        rc = fail_memory(err);
    return rc;
}

static void forget(struct tp_gc_curve *c, struct tp_map *goroutines, int64_t g)
{
    if (tp_map_get(goroutines, (uint64_t)g) == TP_MAP_NONE)
        return;
    tp_map_remove(goroutines, (uint64_t)g);
    c->left++;
}

static bool is_by_label(const struct tp_gc_curve *c)
{
    return (c->flags & TP_GC_UTIL_BY_LABEL) != 0;
}

static bool counts_when_executing(const struct tp_gc_curve *c, int64_t g)
{
    return tp_map_get(&c->assisting, (uint64_t)g) != TP_MAP_NONE ||
           tp_map_get(&c->workers, (uint64_t)g) != TP_MAP_NONE;
}

static bool is_wanted(const struct tp_gc_curve *c, const struct tp_gc_step *step)
{
    bool is_active = step->kind == TP_GC_SWEEP_ACTIVE || step->kind == TP_GC_ASSIST_ACTIVE;
    // What is active later has been seen to begin.
    if (is_active && c->sync_number > 1)
        return false;
    switch (step->kind) {
    case TP_GC_STW_BEGIN:
    case TP_GC_STW_END: return (c->flags & TP_GC_UTIL_STW) != 0;
    case TP_GC_SWEEP_BEGIN:
    case TP_GC_SWEEP_ACTIVE:
    case TP_GC_SWEEP_END: return (c->flags & TP_GC_UTIL_SWEEP) != 0;
    case TP_GC_ASSIST_BEGIN:
    case TP_GC_ASSIST_ACTIVE:
    case TP_GC_ASSIST_END: return (c->flags & TP_GC_UTIL_ASSIST) != 0;
    case TP_GC_EXEC_BEGIN:
    case TP_GC_EXEC_END: return counts_when_executing(c, step->g);
    case TP_GC_WORKER:
        if (is_by_label(c) && tp_map_get(&c->workers, (uint64_t)step->g) != TP_MAP_NONE)
            return false;
        return (c->flags & TP_GC_UTIL_BACKGROUND) != 0 && !(is_per_proc(c) && step->flag);
    default: return false;
    }
}

// Steps of a P.
static int apply_on_proc(struct tp_gc_curve *c, const struct tp_gc_step *step,
                         struct tp_error *err)
{
    bool is_end = step->kind == TP_GC_SWEEP_END || step->kind == TP_GC_ASSIST_END ||
                  step->kind == TP_GC_EXEC_END;
    if (step->p < 0 || (uint64_t)step->p >= c->proc_count)
        return 0;
    if (!is_per_proc(c) && (step->kind == TP_GC_SWEEP_ACTIVE ||
                            (step->kind == TP_GC_ASSIST_ACTIVE && step->flag)))
        lower_points(c);
    count_on(c, step->p, is_end ? -1 : 1);
    switch (step->kind) {
    case TP_GC_ASSIST_BEGIN:
    case TP_GC_ASSIST_ACTIVE:
        return step->g == -1 ? 0 : remember(c, &c->assisting, step->g, err);
    case TP_GC_ASSIST_END: forget(c, &c->assisting, step->g); return 0;
    case TP_GC_EXEC_END:
        if (is_by_label(c))
            forget(c, &c->workers, step->g);
        return 0;
    case TP_GC_WORKER: return remember(c, &c->workers, step->g, err);
    default: return 0;
    }
}

static int end(struct tp_gc_curve *c, int64_t time_ns, struct tp_error *err)
{
    int rc = 0;
    for (size_t i = 0; rc == 0 && i < c->proc_count; i++)
        rc = add_point(c, c->procs[i].series_idx, time_ns, 0, err);
    c->has_ended = true;
    return rc;
}

int tp_gc_curve_step(struct tp_gc_curve *c, const struct tp_gc_step *step, struct tp_error *err)
{
    int rc = 0;
    if (c->has_ended)
        return 0;
    switch (step->kind) {
    case TP_GC_SYNC: c->sync_number = step->value; return 0;
    case TP_GC_END: return end(c, step->time_ns, err);
    case TP_GC_PROCS: rc = set_procs(c, step->time_ns, step->value, err); break;
    default:
        if (c->proc_count == 0 || !is_wanted(c, step))
            return 0;
        if (step->kind == TP_GC_STW_BEGIN)
            c->stw_count++;
        else if (step->kind == TP_GC_STW_END)
            c->stw_count--;
        else
            rc = apply_on_proc(c, step, err);
    }
    if (rc != 0 || c->proc_count == 0)
        return rc;
    return record(c, step->time_ns, err);
}
