#include "tracepipe/event.h"

#include <assert.h>

#include "merge/tables/event_shape.h"

#define OF(of, id) .resource = TP_RESOURCE_##of, .id_from = TP_ID_FROM_##id
#define STATES(of, id, state_from, state_to)                                               \
    OF(of, id), .from = TP_STATE_##state_from, .to = TP_STATE_##state_to
#define GO(id, from, to) STATES(GOROUTINE, id, from, to)
#define PROC(id, from, to) STATES(PROC, id, from, to)
#define REASON(event, arg) .reason_arg = TP_ARG_##event##_##arg + 1
#define STACK(event) .stack_arg = TP_ARG_##event##_stack + 1
#define OWN_STACK(event) STACK(event), .transition_stack_arg = TP_ARG_##event##_stack + 1
#define NEW_STACK(event) .transition_stack_arg = TP_ARG_##event##_new_stack + 1

#define STW "stop-the-world"
#define GC "GC concurrent mark phase"
#define SWEEP "GC incremental sweep"
#define ASSIST "GC mark assist"

const struct tp_event_shape tp_event_shapes[TP_EVENT_CODES] = {
#define TP_SHAPE(code, is_a, ...) [code] = {.kind = TP_KIND_##is_a, __VA_ARGS__},
#include "merge/tables/event_shapes.def"
#undef TP_SHAPE
};

const uint8_t tp_event_kinds[TP_EVENT_TYPES] = {
#define TP_SHAPE(code, is_a, ...) [code] = TP_KIND_##is_a,
#include "merge/tables/event_shapes.def"
#undef TP_SHAPE
};

// Definition for programs that do not inline the function, and for other languages.
extern inline enum tp_kind tp_event_kind(const struct tp_event *e);

static const char *const kind_names[TP_KINDS] = {
#define TP_X(name, text) text,
    TP_KIND_MAP(TP_X)
#undef TP_X
};

static const char *const state_names[TP_STATES] = {
#define TP_X(name, text) text,
    TP_STATE_MAP(TP_X)
#undef TP_X
};

const char *tp_kind_name(enum tp_kind kind)
{
    return (unsigned)kind < TP_KINDS ? kind_names[kind] : kind_names[TP_KIND_BAD];
}

const char *tp_state_name(enum tp_state state)
{
    return (unsigned)state < TP_STATES ? state_names[state] : state_names[TP_STATE_UNDETERMINED];
}

static const struct tp_event_shape *shape_of(const struct tp_event *e)
{
    return &tp_event_shapes[e->type];
}

const char *tp_event_type_name(const struct tp_event *e)
{
    const char *name = tp_event_specs[e->type].name;
    if (e->type == TP_EVENT_SYNC)
        name = kind_names[TP_KIND_SYNC];
    return name != NULL ? name : kind_names[TP_KIND_BAD];
}

// Returns the text of a string; an empty text for a string that partial tables lack.
static struct tp_text text_at(const struct tp_tables *t, uint32_t string_idx)
{
    return tp_text_of(t->strings.items[tp_string_or_empty(string_idx)]);
}

static struct tp_text string_of(const struct tp_tables *t, uint64_t id)
{
    return text_at(t, tp_tables_string_idx(t, id));
}

static struct tp_text constant_text(const char *text)
{
    return tp_text_of(tp_span_of_text(text));
}

static enum tp_state state_below(uint64_t state)
{
    return state < TP_STATES ? (enum tp_state)state : TP_STATE_UNDETERMINED;
}

enum tp_state tp_go_state(uint64_t status)
{
    static const enum tp_state states[] = {TP_STATE_UNDETERMINED, TP_STATE_RUNNABLE,
                                           TP_STATE_RUNNING, TP_STATE_SYSCALL, TP_STATE_WAITING};
    return status < TP_ARRAY_LEN(states) ? states[status] : TP_STATE_UNDETERMINED;
}

enum tp_state tp_proc_state(uint64_t status)
{
    static const enum tp_state states[] = {TP_STATE_UNDETERMINED, TP_STATE_RUNNING, TP_STATE_IDLE,
                                           TP_STATE_RUNNING, TP_STATE_IDLE};
    return status < TP_ARRAY_LEN(states) ? states[status] : TP_STATE_UNDETERMINED;
}

enum tp_state tp_event_state_from(const struct tp_event *e)
{
    switch (e->type) {
    case TP_EV_ProcStart:
        return tp_arg(e, ProcStart, was_running) == 1 ? TP_STATE_RUNNING : TP_STATE_IDLE;
    case TP_EV_ProcSteal:
        return tp_arg(e, ProcSteal, was_abandoned) == 1 ? TP_STATE_IDLE : TP_STATE_RUNNING;
    case TP_EV_ProcStatus: return state_below(tp_arg(e, ProcStatus, from));
    case TP_EV_GoStatus:
    case TP_EV_GoStatusStack: return state_below(tp_arg(e, GoStatus, from_gstatus) >> 32);
    default: return (enum tp_state)shape_of(e)->from;
    }
}

enum tp_state tp_event_state_to(const struct tp_event *e)
{
    switch (e->type) {
    case TP_EV_ProcStatus: return tp_proc_state(tp_arg(e, ProcStatus, pstatus));
    case TP_EV_GoStatus:
    case TP_EV_GoStatusStack: return tp_go_state(tp_arg(e, GoStatus, from_gstatus) & UINT32_MAX);
    default: return (enum tp_state)shape_of(e)->to;
    }
}

// Returns the reason that the event names; an empty text if events of its type have none.
static struct tp_text reason_of(const struct tp_event *e, const struct tp_tables *t)
{
    uint8_t arg = shape_of(e)->reason_arg;
    return arg != 0 ? string_of(t, e->args[arg - 1]) : constant_text("");
}

bool tp_event_transition(const struct tp_event *e, const struct tp_tables *t,
                         struct tp_transition *ret)
{
    const struct tp_event_shape *s = shape_of(e);
    if (s->kind != TP_KIND_TRANSITION)
        return false;
    *ret = (struct tp_transition){
        .resource = (enum tp_resource)s->resource,
        .id = tp_event_resource_id(e, s),
        .from = tp_event_state_from(e),
        .to = tp_event_state_to(e),
        .reason = reason_of(e, t),
    };
    return true;
}

bool tp_event_range(const struct tp_event *e, const struct tp_tables *t, struct tp_range *ret)
{
    const struct tp_event_shape *s = shape_of(e);
    if (s->kind != TP_KIND_RANGE_BEGIN && s->kind != TP_KIND_RANGE_ACTIVE &&
        s->kind != TP_KIND_RANGE_END)
        return false;
    *ret = (struct tp_range){
        .name = constant_text(s->name),
        .detail = reason_of(e, t),
        .scope = (enum tp_resource)s->resource,
        .scope_id = tp_event_resource_id(e, s),
        .has_sweep = e->type == TP_EV_GCSweepEnd,
    };
    if (ret->has_sweep) {
        ret->swept_bytes = tp_arg(e, GCSweepEnd, swept_value);
        ret->reclaimed_bytes = tp_arg(e, GCSweepEnd, reclaimed_value);
    }
    return true;
}

bool tp_event_metric(const struct tp_event *e, struct tp_metric *ret)
{
    const struct tp_event_shape *s = shape_of(e);
    if (s->kind != TP_KIND_METRIC)
        return false;
    *ret = (struct tp_metric){constant_text(s->name), tp_arg(e, Metric, value)};
    return true;
}

bool tp_event_label(const struct tp_event *e, const struct tp_tables *t, struct tp_label *ret)
{
    if (e->type != TP_EV_GoLabel)
        return false;
    *ret = (struct tp_label){string_of(t, tp_arg(e, GoLabel, label_string)), e->g};
    return true;
}

bool tp_event_task(const struct tp_event *e, const struct tp_tables *t, struct tp_task_event *ret)
{
    switch (e->type) {
    case TP_EV_UserTaskBegin:
        *ret = (struct tp_task_event){
            .id = tp_arg(e, UserTaskBegin, task),
            .parent = tp_arg(e, UserTaskBegin, parent_task),
            .name = string_of(t, tp_arg(e, UserTaskBegin, name_string)),
        };
        return true;
    case TP_EV_UserTaskEnd:
        *ret = (struct tp_task_event){
            .id = tp_arg(e, UserTaskEnd, task),
            .parent = tp_arg(e, UserTaskEnd, parent_task),
            .name = tp_text_of(tp_event_task_end_name(e, t)),
        };
        return true;
    default: return false;
    }
}

bool tp_event_region(const struct tp_event *e, const struct tp_tables *t, struct tp_region *ret)
{
    if (e->type != TP_EV_UserRegionBegin && e->type != TP_EV_UserRegionEnd)
        return false;
    *ret = (struct tp_region){.task = tp_arg(e, Region, task),
                              .name = string_of(t, tp_arg(e, Region, name_string))};
    return true;
}

bool tp_event_log(const struct tp_event *e, const struct tp_tables *t, struct tp_log *ret)
{
    if (e->type != TP_EV_UserLog)
        return false;
    *ret = (struct tp_log){.task = tp_arg(e, UserLog, task),
                           .category = string_of(t, tp_arg(e, UserLog, key_string)),
                           .message = string_of(t, tp_arg(e, UserLog, value_string))};
    return true;
}

bool tp_event_sync(const struct tp_event *e, const struct tp_tables *t, struct tp_sync *ret)
{
    if (e->type != TP_EVENT_SYNC)
        return false;
    *ret = (struct tp_sync){.number = tp_arg(e, Sync, number)};
    if (tp_arg(e, Sync, has_clock) == 1 && t != NULL && t->has_clock) {
        ret->has_clock = true;
        ret->trace_ns = tp_tables_ns(t, t->clock.trace_ticks);
        ret->mono_ns = t->clock.mono_ns;
        ret->wall_sec = (int64_t)t->clock.wall_sec;
        ret->wall_nsec = (int64_t)t->clock.wall_nsec;
    }
    return true;
}

bool tp_event_experimental(const struct tp_event *e, struct tp_experimental *ret)
{
    if (shape_of(e)->kind != TP_KIND_EXPERIMENTAL)
        return false;
    const struct tp_event_spec *spec = &tp_event_specs[e->type];
    assert(spec->arg_count > 0);
    *ret = (struct tp_experimental){
        .name = spec->name,
        .arg_count = spec->arg_count - 1u, // without the time
        .arg_names = spec->args + 1,
        .args = e->args,
    };
    return true;
}

size_t tp_tables_experimental_count(const struct tp_tables *t)
{
    return t->experimental.count;
}

struct tp_experimental_batch tp_tables_experimental(const struct tp_tables *t, size_t idx)
{
    assert(idx < t->experimental.count);
    return t->experimental.items[idx];
}

static bool stack_of_arg(const struct tp_event *e, const struct tp_tables *t, uint8_t arg,
                         struct tp_stack *ret)
{
    if (arg == 0)
        return false;
    uint64_t id = e->args[arg - 1];
    const struct tp_stack_def *def = id == 0 ? NULL : tp_tables_stack(t, id);
    *ret = def != NULL
               ? tp_stack_of_def(t, def)
               : (struct tp_stack){.tables = t, .id = id, .known = id == 0};
    return true;
}

bool tp_event_stack(const struct tp_event *e, const struct tp_tables *t, struct tp_stack *ret)
{
    return stack_of_arg(e, t, shape_of(e)->stack_arg, ret);
}

bool tp_event_transition_stack(const struct tp_event *e, const struct tp_tables *t,
                               struct tp_stack *ret)
{
    return stack_of_arg(e, t, shape_of(e)->transition_stack_arg, ret);
}

struct tp_frame tp_stack_frame(const struct tp_stack *s, uint32_t idx)
{
    assert(idx < s->frame_count);
    const struct tp_tables *t = s->tables;
    if (s->frames[idx] & TP_FRAME_CARRIED)
        return tp_carried_states_frame(t->carried_states, s->frames[idx]);
    const struct tp_frame_def *f = &t->frames.items[s->frames[idx]];
    return (struct tp_frame){f->pc, f->line, text_at(t, f->function), text_at(t, f->file)};
}
