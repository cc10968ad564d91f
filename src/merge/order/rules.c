#include "merge/order/rules.h"

// The names that Go 1.26 prints; Go 1.27 calls the last P status "SyscallAbandoned".
const char *const tp_p_status_names[P_STATUSES] = {"Bad", "Running", "Idle", "Syscall", "Bad"};
const char *const tp_g_status_names[G_STATUSES] = {"Bad", "Runnable", "Running", "Syscall",
                                                   "Waiting"};

void tp_context_complain(const struct tp_event *e, enum tp_requirement m, enum tp_requirement p,
                         enum tp_requirement g, struct tp_error *err)
{
    const struct {
        enum tp_requirement requirement;
        int64_t id;
        const char *missing;
        const char *present;
    } all[] = {
        {m, e->m, "expected a thread but didn't have one", "expected no thread but had one"},
        {p, e->p, "expected a proc but didn't have one", "expected no proc but had one"},
        {g, e->g, "expected a goroutine but didn't have one",
         "expected no goroutine but had one"},
    };
    size_t i = 0;
    while (i + 1 < TP_ARRAY_LEN(all) && fits(all[i].requirement, all[i].id))
        i++;
    tp_fail(err, TP_E_ORDER, "%s", all[i].requirement == MUST ? all[i].missing : all[i].present);
}

struct tp_g_state *tp_current_g(struct tp_order *o, const struct tp_event *e,
                                const struct tp_binding *at, uint8_t status, struct tp_error *err)
{
    uint32_t slot = tp_order_g_at(o, at);
    if (tp_unlikely(slot == TP_MAP_NONE)) {
        tp_fail(err, TP_E_ORDER, "event %s for goroutine (%lld) that doesn't exist", name_of(e),
                (long long)e->g);
        return NULL;
    }
    // Go's message says "not Running" even for most rules that want Syscall.
    if (tp_unlikely(o->gs.items[slot].status != status)) {
        tp_fail(err, TP_E_ORDER, "%s event for goroutine that's not %s", name_of(e),
                e->type == TP_EV_GoDestroySyscall ? "Syscall" : "Running");
        return NULL;
    }
    return &o->gs.items[slot];
}

struct tp_p_state *tp_current_p(struct tp_order *o, const struct tp_event *e,
                                const struct tp_binding *at, struct tp_error *err)
{
    uint32_t slot = tp_order_p_at(o, at);
    if (tp_likely(slot != TP_MAP_NONE))
        return &o->ps.items[slot];
    tp_fail(err, TP_E_ORDER, "uninitialized proc %lld found during %s", (long long)e->p,
            name_of(e));
    return NULL;
}

tp_rule_fn *const tp_order_rules[TP_EVENT_CODES] = {
    [TP_EV_ProcsChange] = tp_rule_annotation,
    [TP_EV_ProcStart] = tp_rule_proc_start,
    [TP_EV_ProcStop] = tp_rule_proc_stop,
    [TP_EV_ProcSteal] = tp_rule_proc_steal,
    [TP_EV_ProcStatus] = tp_rule_proc_status,
    [TP_EV_GoCreate] = tp_rule_go_create,
    [TP_EV_GoCreateBlocked] = tp_rule_go_create,
    [TP_EV_GoCreateSyscall] = tp_rule_go_create_syscall,
    [TP_EV_GoStart] = tp_rule_go_start,
    [TP_EV_GoDestroy] = tp_rule_go_stop_exec,
    [TP_EV_GoStop] = tp_rule_go_stop_exec,
    [TP_EV_GoBlock] = tp_rule_go_stop_exec,
    [TP_EV_GoDestroySyscall] = tp_rule_go_destroy_syscall,
    [TP_EV_GoUnblock] = tp_rule_go_unblock,
    [TP_EV_GoSwitch] = tp_rule_go_switch,
    [TP_EV_GoSwitchDestroy] = tp_rule_go_switch,
    [TP_EV_GoSyscallBegin] = tp_rule_go_syscall_begin,
    [TP_EV_GoSyscallEnd] = tp_rule_go_syscall_end,
    [TP_EV_GoSyscallEndBlocked] = tp_rule_go_syscall_end_blocked,
    [TP_EV_GoStatus] = tp_rule_go_status,
    [TP_EV_GoStatusStack] = tp_rule_go_status,
    [TP_EV_STWBegin] = tp_rule_range_begin,
    [TP_EV_STWEnd] = tp_rule_range_end,
    [TP_EV_GCActive] = tp_rule_gc,
    [TP_EV_GCBegin] = tp_rule_gc,
    [TP_EV_GCEnd] = tp_rule_gc,
    [TP_EV_GCSweepActive] = tp_rule_sweep_active,
    [TP_EV_GCSweepBegin] = tp_rule_range_begin,
    [TP_EV_GCSweepEnd] = tp_rule_range_end,
    [TP_EV_GCMarkAssistActive] = tp_rule_assist_active,
    [TP_EV_GCMarkAssistBegin] = tp_rule_range_begin,
    [TP_EV_GCMarkAssistEnd] = tp_rule_range_end,
    [TP_EV_HeapAlloc] = tp_rule_heap_metric,
    [TP_EV_HeapGoal] = tp_rule_heap_metric,
    [TP_EV_GoLabel] = tp_rule_annotation,
    [TP_EV_UserTaskBegin] = tp_rule_task_begin,
    [TP_EV_UserTaskEnd] = tp_rule_task_end,
    [TP_EV_UserRegionBegin] = tp_rule_region_begin,
    [TP_EV_UserRegionEnd] = tp_rule_region_end,
    [TP_EV_UserLog] = tp_rule_annotation,
    [TP_EV_Span] = tp_rule_experimental,
    [TP_EV_SpanAlloc] = tp_rule_experimental,
    [TP_EV_SpanFree] = tp_rule_experimental,
    [TP_EV_HeapObject] = tp_rule_experimental,
    [TP_EV_HeapObjectAlloc] = tp_rule_experimental,
    [TP_EV_HeapObjectFree] = tp_rule_experimental,
    [TP_EV_GoroutineStack] = tp_rule_experimental,
    [TP_EV_GoroutineStackAlloc] = tp_rule_experimental,
    [TP_EV_GoroutineStackFree] = tp_rule_experimental,
};
