#include "merge/order/names.h"
#include "merge/order/rules.h"

// Looks up a name. Go refuses a name that the tables lack; in partial tables, such a name counts as
// the empty name.
static bool find_name(const struct tp_order *o, const struct tp_event *e, uint64_t id,
                      tp_name_ref *ret_name, struct tp_error *err)
{
    uint32_t idx = tp_tables_string_idx(o->tables, id);
    if (idx == TP_STRING_UNKNOWN && !o->tables->is_partial) {
        tp_fail(err, TP_E_ORDER, "invalid string ID %llu for %u event", (unsigned long long)id,
                e->type);
        return false;
    }
    *ret_name = idx != TP_STRING_UNKNOWN ? idx : TP_STRING_EMPTY;
    return true;
}

// TASKS

enum tp_verdict tp_rule_task_begin(struct tp_order *o, struct tp_event *out,
                                   struct tp_binding *at, struct tp_error *err)
{
    (void)at;
    uint64_t id = tp_arg(out, UserTaskBegin, task);
    uint64_t *parent = &tp_arg(out, UserTaskBegin, parent_task);
    tp_name_ref name;
    if (tp_map_get(&o->tasks.by_id, id) != TP_MAP_NONE)
        return BROKEN("task ID conflict: %llu", (unsigned long long)id);
    // In this event a parent of 0 means no task; in a region, task 0 is the background task.
    if (*parent == 0)
        *parent = TP_NO_TASK;
    if (!find_name(o, out, tp_arg(out, UserTaskBegin, name_string), &name, err) ||
        !has_user(out, err) ||
        !assumption(o, TP_ASSUME_NO_TASK, id, 0, err) ||
        !tp_order_begin_task(o, id, *parent, name, err))
        return TP_ORDER_BROKEN;
    return TAKEN(TASK_BEGIN);
}

enum tp_verdict tp_rule_task_end(struct tp_order *o, struct tp_event *out, struct tp_binding *at,
                                 struct tp_error *err)
{
    (void)at;
    uint64_t id = tp_arg(out, UserTaskEnd, task);
    uint32_t slot = tp_map_get(&o->tasks.by_id, id);
    if (!has_user(out, err))
        return TP_ORDER_BROKEN;
    if (slot == TP_MAP_NONE) {
        if (!assumption(o, TP_ASSUME_TASK_ENDS, id, 0, err))
            return TP_ORDER_BROKEN;
        tp_arg(out, UserTaskEnd, parent_task) = TP_NO_TASK;
        tp_arg(out, UserTaskEnd, name) = TP_STRING_EMPTY;
        return TAKEN(TASK_END_UNKNOWN);
    }
    tp_arg(out, UserTaskEnd, parent_task) = o->tasks.items[slot].parent;
    tp_arg(out, UserTaskEnd, name) = o->tasks.items[slot].name;
    tp_order_remove_task(o, slot);
    return TAKEN(TASK_END_KNOWN);
}

// REGIONS

// Returns the goroutine whose region the event begins or ends, and sets *ret_key to that region.
// NULL after filling the error.
static struct tp_g_state *region_g(struct tp_order *o, const struct tp_event *e,
                                   const struct tp_binding *at, struct tp_region_key *ret_key,
                                   struct tp_error *err)
{
    ret_key->task = tp_arg(e, Region, task);
    if (!has_user(e, err) || !find_name(o, e, tp_arg(e, Region, name_string), &ret_key->name, err))
        return NULL;
    uint32_t slot = tp_order_g_at(o, at);
    if (slot != TP_MAP_NONE)
        return &o->gs.items[slot];
    tp_fail(err, TP_E_ORDER, "encountered Ev%s without known state for current goroutine %lld",
            name_of(e), (long long)e->g);
    return NULL;
}

enum tp_verdict tp_rule_region_begin(struct tp_order *o, struct tp_event *out,
                                     struct tp_binding *at, struct tp_error *err)
{
    struct tp_region_key key;
    struct tp_g_state *g = region_g(o, out, at, &key, err);
    if (g == NULL || !tp_order_begin_region(o, g, key, err))
        return TP_ORDER_BROKEN;
    return TAKEN(REGION_BEGIN);
}

enum tp_verdict tp_rule_region_end(struct tp_order *o, struct tp_event *out,
                                   struct tp_binding *at, struct tp_error *err)
{
    struct tp_region_key key;
    struct tp_g_state *g = region_g(o, out, at, &key, err);
    if (g == NULL)
        return TP_ORDER_BROKEN;
    // No region is open: this one began before the trace, or before the speculator's first event.
    if (g->regions.count == 0 && is_assuming(o) && g->marks.is_assumed &&
        !tp_assumption_add(o, (struct tp_assumption){(uint64_t)g->id, key.task, (uint32_t)key.name,
                                                     TP_ASSUME_REGION_ENDS}, err))
        return TP_ORDER_BROKEN;
    if (g->regions.count == 0)
        return TAKEN(REGION_END_UNKNOWN);
    const struct tp_region_key *top = &g->regions.items[g->regions.count - 1];
    if (!tp_order_is_region(o, *top, key)) {
        struct tp_span ends = tp_order_name(o, key.name), began = tp_order_name(o, top->name);
        return BROKEN("misuse of region in goroutine %lld: region end {%llu %.*s} when the "
                      "inner-most active region start event is {%llu %.*s}", (long long)g->id,
                      (unsigned long long)key.task, (int)ends.len_bytes,
                      (const char *)ends.ptr, (unsigned long long)top->task,
                      (int)began.len_bytes, (const char *)began.ptr);
    }
    g->regions.count--;
    return TAKEN(REGION_END);
}

// EVENTS WITHOUT EFFECT ON THE STATE

enum tp_verdict tp_rule_annotation(struct tp_order *o, struct tp_event *out,
                                   struct tp_binding *at, struct tp_error *err)
{
    (void)at;
    return has_user(out, err) ? TAKEN(ANNOTATION) : TP_ORDER_BROKEN;
}

enum tp_verdict tp_rule_heap_metric(struct tp_order *o, struct tp_event *out,
                                    struct tp_binding *at, struct tp_error *err)
{
    (void)at;
    return has_proc(out, err) ? TAKEN(HEAP_METRIC) : TP_ORDER_BROKEN;
}

enum tp_verdict tp_rule_experimental(struct tp_order *o, struct tp_event *out,
                                     struct tp_binding *at, struct tp_error *err)
{
    (void)at;
    return tp_context_check(out, MUST, ANY, ANY, err) ? TAKEN(EXPERIMENTAL) : TP_ORDER_BROKEN;
}
