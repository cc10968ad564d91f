#include "tracepipe/event.h"

#include <assert.h>

#include "merge/event_shape.h"

#define GOROUTINE TP_RESOURCE_GOROUTINE
#define PROC TP_RESOURCE_PROC

#define TRANSITION(of, id, state_from, state_to)                                           \
    .kind = TP_KIND_TRANSITION, .resource = (of), .id_from = TP_ID_FROM_##id,              \
    .from = (state_from), .to = (state_to)
#define GO(id, state_from, state_to)                                                       \
    TRANSITION(GOROUTINE, id, TP_STATE_##state_from, TP_STATE_##state_to)
#define RANGE(part, of, id) .kind = TP_KIND_RANGE_##part, .resource = (of), .id_from = TP_ID_FROM_##id

#define STW "stop-the-world"
#define GC "GC concurrent mark phase"
#define SWEEP "GC incremental sweep"
#define ASSIST "GC mark assist"

const struct tp_event_shape tp_event_shapes[TP_EVENT_CODES] = {
    [TP_EV_CPUSample] = {.kind = TP_KIND_STACK_SAMPLE, .stack_arg = 1},
    [TP_EV_ProcsChange] = {.kind = TP_KIND_METRIC, .stack_arg = 2,
                           .name = "/sched/gomaxprocs:threads"},
    [TP_EV_HeapAlloc] = {.kind = TP_KIND_METRIC, .name = "/memory/classes/heap/objects:bytes"},
    [TP_EV_HeapGoal] = {.kind = TP_KIND_METRIC, .name = "/gc/heap/goal:bytes"},
    [TP_EV_GoLabel] = {.kind = TP_KIND_LABEL, .resource = GOROUTINE, .id_from = TP_ID_FROM_G},

    [TP_EV_ProcStart] = {TRANSITION(PROC, ARG, TP_STATE_IDLE, TP_STATE_RUNNING)},
    [TP_EV_ProcStop] = {TRANSITION(PROC, P, TP_STATE_RUNNING, TP_STATE_IDLE)},
    [TP_EV_ProcSteal] = {TRANSITION(PROC, ARG, TP_STATE_IN_EVENT, TP_STATE_IDLE)},
    [TP_EV_ProcStatus] = {TRANSITION(PROC, ARG, TP_STATE_IN_EVENT, TP_STATE_IN_EVENT)},
    [TP_EV_GoCreate] = {GO(ARG, NOT_EXIST, RUNNABLE), .stack_arg = 3, .transition_stack_arg = 2},
    [TP_EV_GoCreateBlocked] = {GO(ARG, NOT_EXIST, WAITING), .stack_arg = 3,
                               .transition_stack_arg = 2},
    [TP_EV_GoCreateSyscall] = {GO(ARG, NOT_EXIST, SYSCALL)},
    [TP_EV_GoStart] = {GO(ARG, RUNNABLE, RUNNING)},
    [TP_EV_GoDestroy] = {GO(G, RUNNING, NOT_EXIST)},
    [TP_EV_GoDestroySyscall] = {GO(G, SYSCALL, NOT_EXIST)},
    [TP_EV_GoStop] = {GO(G, RUNNING, RUNNABLE), .reason_arg = 1, .stack_arg = 2,
                      .transition_stack_arg = 2},
    [TP_EV_GoBlock] = {GO(G, RUNNING, WAITING), .reason_arg = 1, .stack_arg = 2,
                       .transition_stack_arg = 2},
    [TP_EV_GoUnblock] = {GO(ARG, WAITING, RUNNABLE), .stack_arg = 3},
    // The first of the events that a switch is made of; the others are GoBlock or
    // GoDestroy, and GoStart.
    [TP_EV_GoSwitch] = {GO(ARG, WAITING, RUNNABLE)},
    [TP_EV_GoSwitchDestroy] = {GO(ARG, WAITING, RUNNABLE)},
    [TP_EV_GoSyscallBegin] = {GO(G, RUNNING, SYSCALL), .stack_arg = 2, .transition_stack_arg = 2},
    [TP_EV_GoSyscallEnd] = {GO(G, SYSCALL, RUNNING)},
    [TP_EV_GoSyscallEndBlocked] = {GO(G, SYSCALL, RUNNABLE)},
    [TP_EV_GoStatus] = {TRANSITION(GOROUTINE, ARG, TP_STATE_IN_EVENT, TP_STATE_IN_EVENT)},
    [TP_EV_GoStatusStack] = {TRANSITION(GOROUTINE, ARG, TP_STATE_IN_EVENT, TP_STATE_IN_EVENT),
                             .stack_arg = 4, .transition_stack_arg = 4},

    [TP_EV_STWBegin] = {RANGE(BEGIN, GOROUTINE, G), .reason_arg = 1, .stack_arg = 2, .name = STW},
    [TP_EV_STWEnd] = {RANGE(END, GOROUTINE, G), .reason_arg = 1, .name = STW},
    [TP_EV_GCActive] = {RANGE(ACTIVE, TP_RESOURCE_NONE, NOTHING), .name = GC},
    [TP_EV_GCBegin] = {RANGE(BEGIN, TP_RESOURCE_NONE, NOTHING), .stack_arg = 2, .name = GC},
    [TP_EV_GCEnd] = {RANGE(END, TP_RESOURCE_NONE, NOTHING), .name = GC},
    [TP_EV_GCSweepActive] = {RANGE(ACTIVE, PROC, ARG), .name = SWEEP},
    [TP_EV_GCSweepBegin] = {RANGE(BEGIN, PROC, P), .stack_arg = 1, .name = SWEEP},
    [TP_EV_GCSweepEnd] = {RANGE(END, PROC, P), .name = SWEEP},
    [TP_EV_GCMarkAssistActive] = {RANGE(ACTIVE, GOROUTINE, ARG), .name = ASSIST},
    [TP_EV_GCMarkAssistBegin] = {RANGE(BEGIN, GOROUTINE, G), .stack_arg = 1, .name = ASSIST},
    [TP_EV_GCMarkAssistEnd] = {RANGE(END, GOROUTINE, G), .name = ASSIST},

    [TP_EV_UserTaskBegin] = {.kind = TP_KIND_TASK_BEGIN, .stack_arg = 4},
    [TP_EV_UserTaskEnd] = {.kind = TP_KIND_TASK_END, .stack_arg = 2},
    [TP_EV_UserRegionBegin] = {.kind = TP_KIND_REGION_BEGIN, .stack_arg = 3},
    [TP_EV_UserRegionEnd] = {.kind = TP_KIND_REGION_END, .stack_arg = 3},
    [TP_EV_UserLog] = {.kind = TP_KIND_LOG, .stack_arg = 4},

    [TP_EV_Span ... TP_EV_GoroutineStackFree] = {.kind = TP_KIND_EXPERIMENTAL},
    [TP_EVENT_SYNC] = {.kind = TP_KIND_SYNC},
};

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

enum tp_kind tp_event_kind(const struct tp_event *e)
{
    return (enum tp_kind)shape_of(e)->kind;
}

const char *tp_event_type_name(const struct tp_event *e)
{
    const char *name = tp_event_specs[e->type].name;
    if (e->type == TP_EVENT_SYNC)
        name = kind_names[TP_KIND_SYNC];
    return name != NULL ? name : kind_names[TP_KIND_BAD];
}

static struct tp_text text_of(struct tp_span s)
{
    return (struct tp_text){(const char *)s.ptr, s.len_bytes};
}

// Empty for a string that partial tables lack.
static struct tp_text text_at(const struct tp_tables *t, uint32_t string_idx)
{
    return text_of(t->strings[string_idx != TP_STRING_UNKNOWN ? string_idx : TP_STRING_EMPTY]);
}

static struct tp_text string_of(const struct tp_tables *t, uint64_t id)
{
    return text_at(t, tp_tables_string_idx(t, id));
}

static struct tp_text constant_text(const char *text)
{
    return text_of(tp_span_of(text, strlen(text)));
}

static enum tp_state state_below(uint64_t state)
{
    return state < TP_STATES ? (enum tp_state)state : TP_STATE_UNDETERMINED;
}

// A status as the wire has it, for goroutines and Ps.
static enum tp_state go_state(uint64_t status)
{
    static const enum tp_state states[] = {TP_STATE_UNDETERMINED, TP_STATE_RUNNABLE,
                                           TP_STATE_RUNNING, TP_STATE_SYSCALL, TP_STATE_WAITING};
    return status < TP_ARRAY_LEN(states) ? states[status] : TP_STATE_UNDETERMINED;
}

static enum tp_state proc_state(uint64_t status)
{
    static const enum tp_state states[] = {TP_STATE_UNDETERMINED, TP_STATE_RUNNING, TP_STATE_IDLE,
                                           TP_STATE_RUNNING, TP_STATE_IDLE};
    return status < TP_ARRAY_LEN(states) ? states[status] : TP_STATE_UNDETERMINED;
}

enum tp_state tp_event_state_from(const struct tp_event *e)
{
    switch (e->type) {
    case TP_EV_ProcSteal: return e->args[3] == 1 ? TP_STATE_IDLE : TP_STATE_RUNNING;
    case TP_EV_ProcStatus: return state_below(e->args[2]);
    case TP_EV_GoStatus:
    case TP_EV_GoStatusStack: return state_below(e->args[2] >> 32);
    default: return (enum tp_state)shape_of(e)->from;
    }
}

enum tp_state tp_event_state_to(const struct tp_event *e)
{
    switch (e->type) {
    case TP_EV_ProcStatus: return proc_state(e->args[1]);
    case TP_EV_GoStatus:
    case TP_EV_GoStatusStack: return go_state(e->args[2] & UINT32_MAX);
    default: return (enum tp_state)shape_of(e)->to;
    }
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
        .reason = s->reason_arg != 0 ? string_of(t, e->args[s->reason_arg - 1])
                                     : constant_text(""),
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
        .detail = s->reason_arg != 0 ? string_of(t, e->args[s->reason_arg - 1])
                                     : constant_text(""),
        .scope = (enum tp_resource)s->resource,
        .scope_id = tp_event_resource_id(e, s),
        .has_sweep = e->type == TP_EV_GCSweepEnd,
    };
    if (ret->has_sweep) {
        ret->swept_bytes = e->args[0];
        ret->reclaimed_bytes = e->args[1];
    }
    return true;
}

bool tp_event_metric(const struct tp_event *e, struct tp_metric *ret)
{
    const struct tp_event_shape *s = shape_of(e);
    if (s->kind != TP_KIND_METRIC)
        return false;
    *ret = (struct tp_metric){constant_text(s->name), e->args[0]};
    return true;
}

bool tp_event_label(const struct tp_event *e, const struct tp_tables *t, struct tp_label *ret)
{
    if (e->type != TP_EV_GoLabel)
        return false;
    *ret = (struct tp_label){string_of(t, e->args[0]), e->g};
    return true;
}

bool tp_event_task(const struct tp_event *e, const struct tp_tables *t, struct tp_task_event *ret)
{
    switch (e->type) {
    case TP_EV_UserTaskBegin:
        *ret = (struct tp_task_event){e->args[0], e->args[1], string_of(t, e->args[2])};
        return true;
    case TP_EV_UserTaskEnd:
        *ret = (struct tp_task_event){e->args[0], e->args[2],
                                      text_of(tp_event_task_end_name(e, t))};
        return true;
    default: return false;
    }
}

bool tp_event_region(const struct tp_event *e, const struct tp_tables *t, struct tp_region *ret)
{
    if (e->type != TP_EV_UserRegionBegin && e->type != TP_EV_UserRegionEnd)
        return false;
    *ret = (struct tp_region){e->args[0], string_of(t, e->args[1])};
    return true;
}

bool tp_event_log(const struct tp_event *e, const struct tp_tables *t, struct tp_log *ret)
{
    if (e->type != TP_EV_UserLog)
        return false;
    *ret = (struct tp_log){e->args[0], string_of(t, e->args[1]), string_of(t, e->args[2])};
    return true;
}

bool tp_event_sync(const struct tp_event *e, const struct tp_tables *t, struct tp_sync *ret)
{
    if (e->type != TP_EVENT_SYNC)
        return false;
    *ret = (struct tp_sync){.number = e->args[0]};
    if (e->args[1] == 1 && t != NULL && t->has_clock) {
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
    return t->experimental_count;
}

struct tp_experimental_batch tp_tables_experimental(const struct tp_tables *t, size_t idx)
{
    assert(idx < t->experimental_count);
    return t->experimental[idx];
}

static bool stack_of_arg(const struct tp_event *e, const struct tp_tables *t, uint8_t arg,
                         struct tp_stack *ret)
{
    if (arg == 0)
        return false;
    uint64_t id = e->args[arg - 1];
    const struct tp_stack_def *def = id == 0 ? NULL : tp_tables_stack(t, id);
    *ret = (struct tp_stack){.tables = t, .id = id, .known = id == 0 || def != NULL};
    if (def != NULL) {
        ret->frames = t->frame_idx + def->first;
        ret->frame_count = def->frame_count;
    }
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
    const struct tp_frame_def *f = &t->frames[s->frames[idx]];
    return (struct tp_frame){f->pc, f->line, text_at(t, f->function), text_at(t, f->file)};
}
