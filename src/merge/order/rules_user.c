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
    *ret_name = tp_string_or_empty(idx);
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

// Keeps what a second end of the task needs. False: out of memory.
static bool remember_task(struct tp_order *o, uint64_t id, tp_name_ref name, struct tp_error *err)
{
    if (o->doubts == NULL || tp_ended_tasks_add(&o->ended_tasks, id, name))
        return true;
    tp_fail(err, TP_E_MEMORY, "out of memory for tasks that have ended");
    return false;
}

// Ends a task that is not open: it began before the trace, or has ended already. False after filling
// the error.
static bool end_unknown_task(struct tp_order *o, struct tp_event *out, uint64_t id,
                             struct tp_error *err)
{
    const struct tp_ended_task *ended = tp_ended_task(&o->ended_tasks, id);
    if (ended == NULL)
        return assumption(o, TP_ASSUME_TASK_ENDS, id, 0, err) &&
               remember_task(o, id, TP_STRING_EMPTY, err);
    if (o->doubts == NULL)
        return true;
    // A speculator does not know the name of a task that began before.
    if (is_assuming(o) && ended->name == TP_STRING_EMPTY) {
        tp_fail(err, TP_E_ORDER, "what was before is not known");
        return false;
    }
    tp_order_mistake(o, TP_DOUBT_TASK_ENDED_TWICE, out,
                     (struct tp_nest_key){.task = id, .name = ended->name},
                     tp_arg(out, UserTaskEnd, stack));
    tp_arg(out, UserTaskEnd, name) = TP_NAME_OF_STRAY;
    return true;
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
        tp_arg(out, UserTaskEnd, parent_task) = TP_NO_TASK;
        tp_arg(out, UserTaskEnd, name) = TP_STRING_EMPTY;
        return end_unknown_task(o, out, id, err) ? TAKEN(TASK_END_UNKNOWN) : TP_ORDER_BROKEN;
    }
    const struct tp_task_state *task = &o->tasks.items[slot];
    if (!remember_task(o, id, task->name, err))
        return TP_ORDER_BROKEN;
    tp_arg(out, UserTaskEnd, parent_task) = task->parent;
    tp_arg(out, UserTaskEnd, name) = task->name;
    tp_order_remove_task(o, slot);
    return TAKEN(TASK_END_KNOWN);
}

// REGIONS

// Returns the goroutine whose region the event begins or ends, and sets *ret_key to that region.
// NULL after filling the error.
static struct tp_g_state *region_g(struct tp_order *o, const struct tp_event *e,
                                   const struct tp_binding *at, struct tp_nest_key *ret_key,
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

// Whether the tables have the name of the event's region; partial tables may lack it.
static bool is_named(const struct tp_order *o, const struct tp_event *e)
{
    return tp_tables_has_string(o->tables, tp_arg(e, Region, name_string));
}

enum tp_verdict tp_rule_region_begin(struct tp_order *o, struct tp_event *out,
                                     struct tp_binding *at, struct tp_error *err)
{
    struct tp_nest_key key;
    struct tp_g_state *g = region_g(o, out, at, &key, err);
    if (g == NULL || !tp_order_begin_region(o, g, key, tp_arg(out, UserRegionBegin, stack), err))
        return TP_ORDER_BROKEN;
    o->regions.items[g->region].is_nameless = !is_named(o, out);
    return TAKEN(REGION_BEGIN);
}

// Refuses the end of a region that is not the innermost one, in Go's words.
static enum tp_verdict refuse_region_end(const struct tp_order *o, const struct tp_g_state *g,
                                         struct tp_nest_key key, struct tp_error *err)
{
    struct tp_nest_key top = tp_order_region_key(o, g->region);
    struct tp_span ends = tp_order_name(o, key.name), began = tp_order_name(o, top.name);
    return BROKEN("misuse of region in goroutine %lld: region end {%llu %.*s} when the "
                  "inner-most active region start event is {%llu %.*s}", (long long)g->id,
                  (unsigned long long)key.task, (int)ends.len_bytes, (const char *)ends.ptr,
                  (unsigned long long)top.task, (int)began.len_bytes, (const char *)began.ptr);
}

// Handles an end that ends no region of the goroutine that is known.
static enum tp_verdict end_none(struct tp_order *o, struct tp_event *out,
                                const struct tp_g_state *g, struct tp_nest_key key)
{
    tp_order_mistake(o, TP_DOUBT_REGION_NOT_OPEN, out, key, tp_arg(out, UserRegionEnd, stack));
    tp_arg(out, UserRegionEnd, is_stray) = g->is_new;
    return TAKEN(REGION_END_UNKNOWN);
}

// Handles an end while no region of the goroutine is open.
static enum tp_verdict end_outermost(struct tp_order *o, struct tp_event *out,
                                     const struct tp_g_state *g, struct tp_nest_key key,
                                     struct tp_error *err)
{
    // The region began before the trace, or before the speculator's first event.
    if (is_assuming(o) && g->marks.is_assumed &&
        !tp_assumption_add(o, (struct tp_assumption){(uint64_t)g->id, key.task, (uint32_t)key.name,
                                                     TP_ASSUME_REGION_ENDS}, err))
        return TP_ORDER_BROKEN;
    if (g->is_new && o->doubts != NULL && is_named(o, out))
        return end_none(o, out, g, key);
    return TAKEN(REGION_END_UNKNOWN);
}

// Handles the end of a region that is not the innermost one.
static TP_NOINLINE enum tp_verdict end_by_mistake(struct tp_order *o, struct tp_event *out,
                                                  struct tp_g_state *g, struct tp_nest_key key,
                                                  struct tp_error *err)
{
    const struct tp_open_region *top = &o->regions.items[g->region];
    if (o->doubts == NULL || !is_named(o, out))
        return refuse_region_end(o, g, key, err);
    // Its name is missing, which is no mistake of the program.
    if (top->is_nameless && top->nest.key.task == key.task) {
        tp_order_remove_region(o, g, g->region);
        return TAKEN(REGION_END);
    }
    uint32_t slot = tp_order_find_region(o, g, key);
    // A region that the speculator does not know may end.
    if (slot == 0 && is_assuming(o) && g->marks.is_assumed)
        return UNKNOWN_BEFORE;
    if (slot == 0)
        return end_none(o, out, g, key);
    tp_order_mistake(o, TP_DOUBT_REGION_OVERLAP, out, key, tp_arg(out, UserRegionEnd, stack));
    tp_order_remove_region(o, g, slot);
    return TAKEN(REGION_END);
}

enum tp_verdict tp_rule_region_end(struct tp_order *o, struct tp_event *out,
                                   struct tp_binding *at, struct tp_error *err)
{
    struct tp_nest_key key;
    struct tp_g_state *g = region_g(o, out, at, &key, err);
    if (g == NULL)
        return TP_ORDER_BROKEN;
    tp_arg(out, UserRegionEnd, is_stray) = 0;
    if (g->region == 0)
        return end_outermost(o, out, g, key, err);
    if (!tp_order_is_region(o, tp_order_region_key(o, g->region), key))
        return end_by_mistake(o, out, g, key, err);
    tp_order_remove_region(o, g, g->region);
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
