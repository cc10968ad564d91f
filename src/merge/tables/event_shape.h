// Describes the ordered events of each wire code: their kind, the meaning of their arguments, and
// which arguments are their stacks. The accessors and the printers share this table.
// Constant data; any thread.
#ifndef TP_MERGE_TABLES_EVENT_SHAPE_H
#define TP_MERGE_TABLES_EVENT_SHAPE_H

#include "decode/spec.h"
#include "merge/tables/event_args.h"
#include "merge/tables/tables.h"

// The source of the id of a transition's resource, or of the id of a range's scope.
enum tp_id_from { TP_ID_FROM_NOTHING, TP_ID_FROM_ARG, TP_ID_FROM_P, TP_ID_FROM_G };

// Stands for a state that is in the event instead of this table.
#define TP_STATE_IN_EVENT TP_STATES

// The ordered events of one wire code.
struct tp_event_shape {
    uint8_t kind;                 // enum tp_kind
    uint8_t resource;             // enum tp_resource
    uint8_t id_from;              // enum tp_id_from; ARG: tp_arg(e, Named, id)
    uint8_t from;                 // enum tp_state or TP_STATE_IN_EVENT
    uint8_t to;                   // enum tp_state or TP_STATE_IN_EVENT
    // Numbers of arguments, counted from 1; 0: the event has none.
    uint8_t reason_arg;           // string
    uint8_t stack_arg;
    uint8_t transition_stack_arg;
    const char *name;             // of ranges and metrics
};

// The shapes by wire code; TP_EVENT_SYNC is one of the codes. The kind is BAD for a code that no
// ordered event has.
extern const struct tp_event_shape tp_event_shapes[TP_EVENT_CODES];

// Convert the status of a goroutine, and of a P, from the value on the wire. UNDETERMINED: the
// value is not one that the runtime writes.
enum tp_state tp_go_state(uint64_t status);
enum tp_state tp_proc_state(uint64_t status);

// Returns the state before a transition. The event must be one.
enum tp_state tp_event_state_from(const struct tp_event *e);
// Returns the state after a transition. The event must be one.
enum tp_state tp_event_state_to(const struct tp_event *e);

// Returns the id of the goroutine or P that the event concerns, -1 if there is none. `s` is the
// event's shape.
TP_INLINE int64_t tp_event_resource_id(const struct tp_event *e, const struct tp_event_shape *s)
{
    switch (s->id_from) {
    case TP_ID_FROM_ARG: return (int64_t)tp_arg(e, Named, id);
    case TP_ID_FROM_P: return e->p;
    case TP_ID_FROM_G: return e->g;
    default: return -1;
    }
}

// Returns the goroutine whose state the event changes or tells, or whose range it tells of, or which gets
// a label; -1: the event is of no such kind.
TP_INLINE int64_t tp_event_changed_goroutine(const struct tp_event *e)
{
    const struct tp_event_shape *s = &tp_event_shapes[e->type];
    return s->resource == TP_RESOURCE_GOROUTINE ? tp_event_resource_id(e, s) : -1;
}

// Returns the task that the event names: 0 is the background task; TP_NO_TASK: none.
TP_INLINE uint64_t tp_event_names_task(const struct tp_event *e)
{
    switch (tp_event_shapes[e->type].kind) {
    case TP_KIND_TASK_BEGIN:
    case TP_KIND_TASK_END: return tp_arg(e, Task, task);
    case TP_KIND_REGION_BEGIN:
    case TP_KIND_REGION_END: return tp_arg(e, Region, task);
    case TP_KIND_LOG: return tp_arg(e, UserLog, task);
    default: return TP_NO_TASK;
    }
}

// Returns the Sync event with this number. `has_clock`: 1 if it begins a generation, else 0.
TP_INLINE struct tp_event tp_sync_event(int64_t time_ns, uint64_t number, uint64_t has_clock)
{
    return (struct tp_event){
        .time_ns = time_ns,
        .m = -1,
        .p = -1,
        .g = -1,
        .type = TP_EVENT_SYNC,
        .args = {[TP_ARG_Sync_number] = number, [TP_ARG_Sync_has_clock] = has_clock}};
}

// Returns the name of the task that the event ends, borrowed from the tables.
TP_INLINE struct tp_span tp_event_task_end_name(const struct tp_event *e,
                                                const struct tp_tables *t)
{
    uint64_t idx = tp_arg(e, UserTaskEnd, name);
    return (idx & TP_NAME_CARRIED) != 0 ? tp_intern_text(&t->carried->texts, (uint32_t)idx)
                                        : t->strings.items[(uint32_t)idx];
}

// Returns the stack `id`, which is not 0, and resolves the frames if necessary. NULL: the tables
// have no such stack, or there was no memory for their frames; the latter sets the note that
// tp_tables_take_missed returns. The stack is valid as long as the tables.
TP_INLINE const struct tp_stack_def *tp_tables_stack(const struct tp_tables *t, uint64_t id)
{
    uint32_t idx = tp_idmap_get(&t->stack_ids, id);
    if (tp_unlikely(tp_tables_resolve(t) != 0 || idx == UINT32_MAX)) {
        if (idx != UINT32_MAX)
            tp_tables_note_missed();
        return NULL;
    }
    return &t->stacks.items[idx];
}

// Returns the view of a stack whose frames are resolved.
TP_INLINE struct tp_stack tp_stack_of_def(const struct tp_tables *t, const struct tp_stack_def *def)
{
    return (struct tp_stack){.tables = t,
                             .frames = t->frame_idx + def->first,
                             .frame_count = def->frame_count,
                             .known = true,
                             .id = def->id};
}

#endif
