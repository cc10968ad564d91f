#include "sink/text/event_json.h"

#include "merge/tables/event_shape.h"
#include "merge/track/facts.h"
#include "sink/print/fields.h"

static void put_known_id(struct tp_emit *e, const char *key, int64_t id)
{
    tp_field_known_i64(e, key, id != -1, id);
}

static void put_text(struct tp_emit *e, const char *key, struct tp_text text)
{
    tp_field_span(e, key, tp_text_span(text));
}

// Puts the id of a task. 0, the background task, and TP_NO_TASK are null.
static void put_task_id(struct tp_emit *e, const char *key, uint64_t id)
{
    tp_field_known_wide(e, key, id != 0 && id != TP_NO_TASK, id);
}

static void put_resource(struct tp_emit *e, enum tp_resource resource, int64_t id)
{
    bool is_any = resource != TP_RESOURCE_NONE;
    tp_field_known_text(e, "resource", is_any,
                        resource == TP_RESOURCE_PROC ? "proc" : "goroutine");
    tp_field_known_i64(e, "resource_id", is_any && id != -1, id);
}

static void put_time(struct tp_emit *e, int64_t time_ns, struct tp_event_json_time time)
{
    tp_field_i64(e, "time_ns", time_ns);
    if (time.form == TP_TIME_OF_TRACE)
        return;
    int64_t ns = tp_event_since_begin_ns(time.begin, time_ns);
    if (time.form == TP_TIME_SINCE_BEGIN)
        tp_field_i64(e, "since_start_ns", ns);
    else
        tp_field_known_wall(e, "wall_time", true, tp_wall_after(time.begin->wall, ns));
}

static void put_range(struct tp_emit *e, const struct tp_event *event, const struct tp_tables *t)
{
    struct tp_range r;
    if (!tp_event_range(event, t, &r))
        return;
    put_text(e, "name", r.name);
    put_text(e, "detail", r.detail);
    put_resource(e, r.scope, r.scope_id);
    if (!r.has_sweep)
        return;
    tp_field_wide(e, "swept_bytes", r.swept_bytes);
    tp_field_wide(e, "reclaimed_bytes", r.reclaimed_bytes);
}

static void put_transition(struct tp_emit *e, const struct tp_event *event,
                           const struct tp_tables *t)
{
    struct tp_transition c;
    if (!tp_event_transition(event, t, &c))
        return;
    put_resource(e, c.resource, c.id);
    tp_field_text(e, "from", tp_state_name(c.from));
    tp_field_text(e, "to", tp_state_name(c.to));
    put_text(e, "reason", c.reason);
}

static void put_experimental(struct tp_emit *e, const struct tp_event *event)
{
    struct tp_experimental x;
    if (!tp_event_experimental(event, &x))
        return;
    tp_field_text(e, "name", x.name);
    tp_fields_open(e, "args", '[');
    for (size_t i = 0; i < x.arg_count; i++) {
        tp_fields_open(e, NULL, '{');
        tp_field_text(e, "name", x.arg_names[i]);
        tp_field_wide(e, "value", x.args[i]);
        tp_fields_close(e, '{');
    }
    tp_fields_close(e, '[');
}

static void put_sync(struct tp_emit *e, const struct tp_event *event, const struct tp_tables *t)
{
    struct tp_sync s;
    if (!tp_event_sync(event, t, &s))
        return;
    bool is_time = s.has_clock && s.wall_nsec >= 0 && s.wall_nsec < 1000000000;
    tp_field_wide(e, "number", s.number);
    tp_field_known_i64(e, "trace_ns", s.has_clock, s.trace_ns);
    tp_field_known_wide(e, "mono_ns", s.has_clock, s.mono_ns);
    tp_field_known_wall(e, "wall_clock", is_time, (struct tp_wall){s.wall_sec, s.wall_nsec});
}

// Puts the start function of a goroutine: null if there is no goroutine.
static void put_function(struct tp_emit *e, const char *key, bool is_any, uint32_t function,
                         const struct tp_tables *t)
{
    if (is_any)
        put_text(e, key, tp_fact_text(function, t));
    else
        tp_field_unknown(e, key);
}

// Puts whose the event is. The task is the one that the event names, else that of the goroutine.
static void put_whose(struct tp_emit *e, const struct tp_event *event, const struct tp_tables *t,
                      const struct tp_track_whose *whose)
{
    int64_t changed = tp_event_changed_goroutine(event);
    uint64_t named = tp_event_names_task(event);
    put_function(e, "function", event->g >= 0, whose->function[TP_TRACK_CONTEXT], t);
    put_task_id(e, "task", named != TP_NO_TASK ? named : whose->task[TP_TRACK_CONTEXT]);
    if (changed >= 0)
        put_function(e, "resource_function", true, whose->function[TP_TRACK_CHANGED], t);
}

// Puts the fields that only events of this kind have, except for stacks.
static void put_kind(struct tp_emit *e, const struct tp_event *event, const struct tp_tables *t)
{
    struct tp_metric metric;
    struct tp_label label;
    struct tp_task_event task;
    struct tp_region region;
    struct tp_log log;
    put_transition(e, event, t);
    put_range(e, event, t);
    put_experimental(e, event);
    put_sync(e, event, t);
    if (tp_event_metric(event, &metric)) {
        put_text(e, "name", metric.name);
        tp_field_wide(e, "value", metric.value);
    } else if (tp_event_label(event, t, &label)) {
        put_text(e, "label", label.label);
    } else if (tp_event_task(event, t, &task)) {
        put_task_id(e, "parent", task.parent);
        put_text(e, "name", task.name);
    } else if (tp_event_region(event, t, &region)) {
        put_text(e, "name", region.name);
    } else if (tp_event_log(event, t, &log)) {
        put_text(e, "category", log.category);
        put_text(e, "message", log.message);
    }
}

static void put_stack(struct tp_emit *e, const char *key, const struct tp_stack *stack)
{
    if (!stack->known) {
        tp_field_unknown(e, key);
        return;
    }
    tp_fields_open(e, key, '[');
    for (uint32_t i = 0; i < stack->frame_count; i++) {
        const struct tp_frame f = tp_stack_frame(stack, i);
        tp_fields_open(e, NULL, '{');
        put_text(e, "function", f.function);
        put_text(e, "file", f.file);
        tp_field_wide(e, "line", f.line);
        tp_field_wide(e, "pc", f.pc);
        tp_fields_close(e, '{');
    }
    tp_fields_close(e, '[');
}

void tp_event_json_put(struct tp_emit *e, const struct tp_block *block, size_t idx,
                       struct tp_event_json_time time)
{
    const struct tp_event *event = &block->events[idx];
    const struct tp_tables *tables = block->tables;
    const struct tp_event_shape *shape = &tp_event_shapes[event->type];
    struct tp_stack stack;
    tp_fields_open(e, NULL, '{');
    put_time(e, event->time_ns, time);
    put_known_id(e, "thread", event->m);
    put_known_id(e, "proc", event->p);
    put_known_id(e, "goroutine", event->g);
    tp_field_text(e, "kind", tp_kind_name(tp_event_kind(event)));
    tp_field_text(e, "type", tp_event_type_name(event));
    put_whose(e, event, tables, &block->facts->whose.items[idx]);
    put_kind(e, event, tables);
    bool has_two = shape->transition_stack_arg != 0 &&
                   shape->transition_stack_arg != shape->stack_arg;
    if (has_two && tp_event_transition_stack(event, tables, &stack))
        put_stack(e, "transition_stack", &stack);
    if (tp_event_stack(event, tables, &stack))
        put_stack(e, "stack", &stack);
    tp_fields_end(e);
}
