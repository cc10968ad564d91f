// Go computes the utilisation at every event, this code only at steps. The curves are equal:
// times increase from event to event, so the last point of a curve has the utilisation of the
// last step.
#include "stats/gc/curve.h"

#include "base/alloc.h"
#include "base/list.h"
#include "base/map.h"

// A change of the number of Ps.
struct change {
    int64_t time_ns;
    uint32_t proc_count;
};

struct tp_gc_curve {
    size_t left;           // entries that may still be added
    bool has_ended;
    uint64_t sync_number;
    int64_t stw_count;
    TP_LIST(int64_t) procs; // by P: activities begun minus activities ended; may be negative
    size_t busy_count;      // Ps whose number in `procs` is above 0
    TP_LIST(struct change) changes;
    TP_LIST(struct tp_util_point) points;
    struct tp_map assisting;
    struct tp_map workers;
    // All points before lowered_point have been lowered to 0, so lower_points starts there: it
    // lowers each point at most as often as there are Ps, however many assists are active.
    // lowered_change is the change of the number of Ps in effect at lowered_point.
    uint32_t lowered_point;
    uint32_t lowered_change;
    int code;             // of the first failure, after which the curve is incomplete; 0: none
    struct tp_error *err; // of the current step; gets the first failure
};

int tp_gc_curve_create(size_t most, struct tp_gc_curve **ret, struct tp_error *err)
{
    struct tp_gc_curve *c = tp_alloc_zero(sizeof *c);
    if (c == NULL)
        return tp_fail(err, TP_E_MEMORY, "out of memory for a curve of mutator utilisation");
    c->left = most;
    *ret = c;
    return 0;
}

void tp_gc_curve_destroy(struct tp_gc_curve *c)
{
    if (c == NULL)
        return;
    tp_free(c->points.items);
    tp_free(c->procs.items);
    tp_free(c->changes.items);
    tp_map_fini(&c->assisting);
    tp_map_fini(&c->workers);
    tp_free(c);
}

struct tp_util_series tp_gc_curve_borrow_series(const struct tp_gc_curve *c)
{
    return (struct tp_util_series){c->points.items, c->points.count};
}

// MEMORY

static void lack_memory(struct tp_gc_curve *c)
{
    c->code = tp_fail(c->err, TP_E_MEMORY, "out of memory for the curve of mutator utilisation");
}

// Takes one of the entries that may still be added. False: none is left, or a failure before.
static bool take(struct tp_gc_curve *c)
{
    if (c->code == 0 && c->left == 0)
        c->code =
            tp_fail(c->err, TP_E_TOO_LARGE, "the curve of mutator utilisation has too many points");
    c->left -= c->code == 0;
    return c->code == 0;
}

// POINTS

static void append_point(struct tp_gc_curve *c, int64_t time_ns, double utilisation)
{
    if (take(c) && !TP_LIST_ADD(&c->points, (struct tp_util_point){time_ns, utilisation}))
        lack_memory(c);
}

// Adds a point unless the value stays the same. The curve must have a point; it has one as soon as
// there is a P.
static void add_point(struct tp_gc_curve *c, int64_t time_ns, double utilisation)
{
    struct tp_util_point *last = &c->points.items[c->points.count - 1];
    if (utilisation != last->utilisation && time_ns != last->time_ns)
        append_point(c, time_ns, utilisation);
    else if (utilisation < last->utilisation)
        last->utilisation = utilisation;
}

static void record(struct tp_gc_curve *c, int64_t time_ns)
{
    size_t gc_count = c->stw_count > 0 ? c->procs.count : c->busy_count;
    add_point(c, time_ns, 1 - (double)gc_count / (double)c->procs.count);
}

// Lowers all points so far by the share of one P, because the collector has been using a P since
// before the trace began.
static void lower_points(struct tp_gc_curve *c)
{
    uint32_t change = c->lowered_change;
    bool is_prefix = true;
    for (uint32_t i = c->lowered_point; i < c->points.count; i++) {
        struct tp_util_point *p = &c->points.items[i];
        while (change + 1 < c->changes.count && c->changes.items[change + 1].time_ns < p->time_ns)
            change++;
        p->utilisation -= 1 / (double)c->changes.items[change].proc_count;
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

static void remove_procs(struct tp_gc_curve *c, uint32_t count)
{
    for (uint32_t i = count; i < c->procs.count; i++)
        c->busy_count -= c->procs.items[i] > 0;
    c->left += c->procs.count - count;
    c->procs.count = count;
}

static void add_proc(struct tp_gc_curve *c, int64_t time_ns)
{
    if (c->points.count == 0)
        append_point(c, time_ns, 1);
    if (take(c) && !TP_LIST_ADD(&c->procs, 0))
        lack_memory(c);
}

static void set_procs(struct tp_gc_curve *c, int64_t time_ns, uint64_t count)
{
    if (count > c->procs.count && count - c->procs.count > c->left)
        c->code = tp_fail(c->err, TP_E_TOO_LARGE, "GOMAXPROCS of %llu is too large for a curve",
                          (unsigned long long)count);
    if (count < c->procs.count)
        remove_procs(c, (uint32_t)count);
    while (c->code == 0 && c->procs.count < count)
        add_proc(c, time_ns);
    uint32_t change_count = c->changes.count;
    if (change_count > 0 && c->changes.items[change_count - 1].proc_count == count)
        return;
    if (take(c) && !TP_LIST_ADD(&c->changes, (struct change){time_ns, (uint32_t)count}))
        lack_memory(c);
}

static void count_on(struct tp_gc_curve *c, int64_t p, int64_t by)
{
    int64_t *busy = &c->procs.items[p];
    c->busy_count -= *busy > 0;
    *busy += by;
    c->busy_count += *busy > 0;
}

static void remember(struct tp_gc_curve *c, struct tp_map *goroutines, int64_t g)
{
    if (tp_map_get(goroutines, (uint64_t)g) == TP_MAP_NONE && take(c) &&
        !tp_map_put(goroutines, (uint64_t)g, 1))
        lack_memory(c);
}

static void forget(struct tp_gc_curve *c, struct tp_map *goroutines, int64_t g)
{
    c->left += tp_map_remove(goroutines, (uint64_t)g) != TP_MAP_NONE;
}

static bool counts_when_executing(const struct tp_gc_curve *c, int64_t g)
{
    return tp_map_get(&c->assisting, (uint64_t)g) != TP_MAP_NONE ||
           tp_map_get(&c->workers, (uint64_t)g) != TP_MAP_NONE;
}

static bool is_wanted(const struct tp_gc_curve *c, const struct tp_gc_step *step)
{
    switch (step->kind) {
    // After the first generation, the beginning of an active assist has been counted already.
    case TP_GC_ASSIST_ACTIVE: return c->sync_number <= 1;
    case TP_GC_EXEC_BEGIN:
    case TP_GC_EXEC_END: return counts_when_executing(c, step->g);
    case TP_GC_WORKER: return tp_map_get(&c->workers, (uint64_t)step->g) == TP_MAP_NONE;
    default: return true;
    }
}

// Applies a step that concerns one P.
static void apply_on_proc(struct tp_gc_curve *c, const struct tp_gc_step *step)
{
    bool is_end = step->kind == TP_GC_ASSIST_END || step->kind == TP_GC_EXEC_END;
    if (step->p < 0 || (uint64_t)step->p >= c->procs.count)
        return;
    if (step->kind == TP_GC_ASSIST_ACTIVE && step->flag)
        lower_points(c);
    count_on(c, step->p, is_end ? -1 : 1);
    switch (step->kind) {
    case TP_GC_ASSIST_BEGIN:
    case TP_GC_ASSIST_ACTIVE:
        if (step->g != -1)
            remember(c, &c->assisting, step->g);
        break;
    case TP_GC_ASSIST_END: forget(c, &c->assisting, step->g); break;
    case TP_GC_EXEC_END: forget(c, &c->workers, step->g); break;
    case TP_GC_WORKER: remember(c, &c->workers, step->g); break;
    default: break;
    }
}

int tp_gc_curve_step(struct tp_gc_curve *c, const struct tp_gc_step *step, struct tp_error *err)
{
    c->err = err;
    if (c->has_ended)
        return 0;
    switch (step->kind) {
    case TP_GC_SYNC: c->sync_number = step->value; return 0;
    case TP_GC_END:
        c->has_ended = true;
        if (c->procs.count > 0)
            add_point(c, step->time_ns, 0);
        return c->code;
    case TP_GC_PROCS: set_procs(c, step->time_ns, step->value); break;
    default:
        if (c->procs.count == 0 || !is_wanted(c, step))
            return 0;
        if (step->kind == TP_GC_STW_BEGIN)
            c->stw_count++;
        else if (step->kind == TP_GC_STW_END)
            c->stw_count--;
        else
            apply_on_proc(c, step);
    }
    if (c->code == 0 && c->procs.count > 0)
        record(c, step->time_ns);
    return c->code;
}
