#include "gc_finder.h"

void tp_gc_finder_init(struct tp_gc_finder *f)
{
    *f = (struct tp_gc_finder){0};
}

void tp_gc_finder_fini(struct tp_gc_finder *f)
{
    tp_map_fini(&f->executing);
}

// Notes whether the event's goroutine executes. Notes nothing before the number of Ps is known,
// because Go ignores all states that are reported earlier. False: out of memory.
static bool remember_state(struct tp_gc_finder *f, const struct tp_event *e,
                           const struct tp_tables *t)
{
    struct tp_transition tr;
    if (!f->has_procs || !tp_event_transition(e, t, &tr) || tr.resource != TP_RESOURCE_GOROUTINE)
        return true;
    uint64_t g = (uint64_t)tr.id;
    if (!tp_gc_executes(tr.to))
        tp_map_remove(&f->executing, g);
    else if (tp_map_get(&f->executing, g) == TP_MAP_NONE)
        return tp_map_put(&f->executing, g, 1);
    return true;
}

static bool transition_step(const struct tp_event *e, const struct tp_tables *t,
                            struct tp_gc_step *ret)
{
    struct tp_transition tr;
    if (!tp_event_transition(e, t, &tr) || tr.resource != TP_RESOURCE_GOROUTINE ||
        tp_gc_executes(tr.from) == tp_gc_executes(tr.to))
        return false;
    *ret = (struct tp_gc_step){
        .kind = tp_gc_executes(tr.to) ? TP_GC_EXEC_BEGIN : TP_GC_EXEC_END,
        .time_ns = e->time_ns,
        .p = e->p,
        .g = tr.id,
    };
    return true;
}

bool tp_gc_finder_step_of(const struct tp_event *e, const struct tp_tables *t,
                          struct tp_gc_step *ret)
{
    return tp_gc_step_of(e, t, ret) || transition_step(e, t, ret);
}

enum tp_gc_found tp_gc_finder_look(struct tp_gc_finder *f, const struct tp_event *e,
                                   const struct tp_tables *t, struct tp_gc_step *ret,
                                   struct tp_error *err)
{
    bool is_step = tp_gc_finder_step_of(e, t, ret);
    if (f->sync_number <= 1) {
        if (is_step && ret->kind == TP_GC_SYNC && (f->sync_number = ret->value) > 1)
            tp_map_fini(&f->executing);
        if (is_step && ret->kind == TP_GC_PROCS)
            f->has_procs = ret->value > 0;
        if (is_step && ret->kind == TP_GC_ASSIST_ACTIVE)
            ret->flag = tp_map_get(&f->executing, (uint64_t)e->g) != TP_MAP_NONE;
        if (f->sync_number <= 1 && !remember_state(f, e, t)) {
            tp_fail(err, TP_E_MEMORY, "no memory for the states of goroutines");
            return TP_GC_FOUND_FAILED;
        }
    }
    return is_step ? TP_GC_FOUND_STEP : TP_GC_FOUND_NOTHING;
}
