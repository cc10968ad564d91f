// Names the arguments of ordered events: tp_arg(e, GoStart, g_seq) is the argument g_seq of a
// GoStart event, a struct tp_event or struct tp_run_event. A pair of event and argument that does
// not exist does not compile; the caller must make sure that `e` is an event of this type.
// Constants only; any thread.
#ifndef TP_MERGE_TABLES_EVENT_ARGS_H
#define TP_MERGE_TABLES_EVENT_ARGS_H

#include "decode/spec.h"

// The argument of an event in its `args`; may also be assigned to. `event` and `arg` are names, not
// values.
#define tp_arg(e, event, arg) ((e)->args[TP_ARG_##event##_##arg])

// The arguments on the wire after the time, by their names in decode/events_v2.def.
#define TP_X(event, arg) TP_ARG_##event##_##arg,
#define TP_ARGS_OF_TIMED(event, dt, ...) \
    enum { TP_EACH(TP_X, event, __VA_ARGS__) TP_ARGS_##event };
#define TP_ARGS_OF_EXP(event, dt, ...) TP_ARGS_OF_TIMED(event, dt, __VA_ARGS__)
// Ordering hands out no events of the other kinds, so their arguments have no names.
#define TP_ARGS_OF_STRUCT(...)
#define TP_ARGS_OF_STACK(...)
#define TP_ARGS_OF_DATA(...)
#define TP_EV(code, name, since, kind, ...) TP_ARGS_OF_##kind(name, __VA_ARGS__)
#include "decode/events_v2.def"
#undef TP_X

// The arguments that ordering stores in args, in place of arguments of the wire or after them.
enum {
    // 1: a Running status of the P preceded this start and was believed (merge/order/doubt.h).
    TP_ARG_ProcStart_was_running = 3,
    // 1: the P had the status SyscallAbandoned before the steal.
    TP_ARG_ProcSteal_was_abandoned = 3,
    TP_ARG_ProcStatus_from = 2,        // enum tp_state
    TP_ARG_GoStatus_from_gstatus = 2,  // enum tp_state << 32 | gstatus
    // Before Go 1.22, of a goroutine from before the trace: the id of the stack that has only its start
    // function, plus 1. 0: not known.
    TP_ARG_GoStatus_start_stack = 3,
    TP_ARG_STWEnd_kind_string = 0,     // as in the begin event
    TP_ARG_UserTaskEnd_parent_task = 2, // TP_NO_TASK: none, or not known
    TP_ARG_UserTaskEnd_name = 3,       // tp_name_ref, or TP_NAME_OF_STRAY
    TP_ARG_UserRegionEnd_is_stray = 3, // 1: a mistake of the program (merge/order/mistake.h): it
                                       // ends no region, not even one from before the trace
    TP_ARG_CPUSample_stack = 0,
    // The context of the sample, for the upgrader only.
    TP_ARG_CPUSample_m,
    TP_ARG_CPUSample_p,
    TP_ARG_CPUSample_g,
    TP_ARG_Sync_number = 0,
    TP_ARG_Sync_has_clock,             // 1: a generation begins
};

// Arguments that several types have at the same index, for code that handles all these types.
enum {
    TP_ARG_Named_id,                   // the goroutine or P that the event names
    TP_ARG_Named_seq,                  // counts the changes of the state of that goroutine or P
    TP_ARG_GC_seq = 0,
    TP_ARG_Metric_value = 0,
    TP_ARG_STW_kind_string = 0,
    TP_ARG_Task_task = 0,
    TP_ARG_Region_task = 0,
    TP_ARG_Region_name_string,
    TP_ARG_Region_stack,
};
// Each line asserts that the arguments on it have the index of the name that comes first.
#define TP_X(shared, own) _Static_assert((int)TP_ARG_##own == (int)TP_ARG_##shared, #own);
#define TP_SAME(shared, ...) TP_EACH(TP_X, shared, __VA_ARGS__)
TP_SAME(Named_id, ProcStart_p, ProcSteal_p, ProcStatus_p, GCSweepActive_p)
TP_SAME(Named_id, GoCreate_new_g, GoCreateBlocked_new_g, GoCreateSyscall_new_g)
TP_SAME(Named_id, GoStart_g, GoUnblock_g, GoSwitch_g, GoSwitchDestroy_g)
TP_SAME(Named_id, GoStatus_g, GoStatusStack_g, GCMarkAssistActive_g)
TP_SAME(Named_seq, ProcStart_p_seq, ProcSteal_p_seq)
TP_SAME(Named_seq, GoStart_g_seq, GoUnblock_g_seq, GoSwitch_g_seq, GoSwitchDestroy_g_seq)
TP_SAME(GoStop_reason_string, GoBlock_reason_string)
TP_SAME(GoStop_stack, GoBlock_stack)
TP_SAME(GoStatus_m, GoStatusStack_m)
TP_SAME(GoStatus_gstatus, GoStatusStack_gstatus, GoStatus_from_gstatus)
TP_SAME(GC_seq, GCActive_gc_seq, GCBegin_gc_seq, GCEnd_gc_seq)
TP_SAME(Metric_value, ProcsChange_procs_value, HeapAlloc_heapalloc_value, HeapGoal_heapgoal_value)
TP_SAME(STW_kind_string, STWBegin_kind_string, STWEnd_kind_string)
TP_SAME(Task_task, UserTaskBegin_task, UserTaskEnd_task)
TP_SAME(Region_task, UserRegionBegin_task, UserRegionEnd_task)
TP_SAME(Region_name_string, UserRegionBegin_name_string, UserRegionEnd_name_string)
TP_SAME(Region_stack, UserRegionBegin_stack, UserRegionEnd_stack)
#undef TP_X
#undef TP_SAME

#endif
