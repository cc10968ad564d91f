#include "merge/order/wait.h"

#include "merge/order/rules.h"

// The conditions in this file are the same as those in rules_proc.c, rules_goroutine.c and
// rules_range.c.

enum { ROW_NONE, ROW_PROC_START, ROW_PROC_STEAL, ROW_SYSCALL_END, ROW_GO_START, ROW_GO_UNBLOCK,
       ROW_GO_SWITCH, ROW_GC };
const uint8_t tp_wait_rules[TP_WAIT_ROWS] = {
    [ROW_PROC_START] = TP_RULE_PROC_START_WAIT,
    [ROW_PROC_STEAL] = TP_RULE_PROC_STEAL_WAIT,
    [ROW_SYSCALL_END] = TP_RULE_GO_SYSCALL_END_BLOCKED_WAIT,
    [ROW_GO_START] = TP_RULE_GO_START_WAIT,
    [ROW_GO_UNBLOCK] = TP_RULE_GO_UNBLOCK_WAIT,
    [ROW_GO_SWITCH] = TP_RULE_GO_SWITCH_WAIT,
    [ROW_GC] = TP_RULE_GC_WAIT,
};
_Static_assert(TP_RULES <= UINT8_MAX, "a rule is a byte");

static void add_wait(struct tp_waits *w, enum tp_wait_kind kind, uint64_t id, uint64_t count)
{
    w->items[w->count++] = (struct tp_wait){id, count, (uint8_t)kind};
}

static bool is_idle_for(const struct tp_order *o, uint64_t id, uint64_t count)
{
    uint32_t slot = tp_order_p(o, (int64_t)id);
    return slot != TP_MAP_NONE && o->ps.items[slot].status == P_IDLE &&
           succeeds(o, count, &o->ps.items[slot].seq);
}

unsigned tp_order_waits(const struct tp_order *o, const struct tp_run_event *e, uint32_t m_slot,
                        struct tp_waits *w)
{
    // A thread without a slot has no P and no goroutine.
    const struct tp_binding *at = m_slot != TP_MAP_NONE ? &o->ms.items[m_slot].at : &o->nobody;
    uint64_t id = tp_arg(e, Named, id), count = tp_arg(e, Named, seq);
    *w = (struct tp_waits){.count = 0};
    switch (e->type) {
    case TP_EV_ProcStart:
        w->passes_on = is_idle_for(o, id, count);
        if (w->passes_on)
            w->is_there = (struct tp_wait){id, count, TP_WAIT_P_IDLE};
        else
            add_wait(w, TP_WAIT_P_IDLE, id, count);
        return ROW_PROC_START;
    case TP_EV_ProcSteal: add_wait(w, TP_WAIT_P_LOST, id, count); return ROW_PROC_STEAL;
    case TP_EV_GoSyscallEndBlocked:
        add_wait(w, TP_WAIT_P_NO_SYSCALL, (uint64_t)at->p, 0);
        return ROW_SYSCALL_END;
    case TP_EV_GoStart: add_wait(w, TP_WAIT_G_RUNNABLE, id, count); return ROW_GO_START;
    case TP_EV_GoUnblock: add_wait(w, TP_WAIT_G_WAITING, id, count); return ROW_GO_UNBLOCK;
    case TP_EV_GoSwitch:
    case TP_EV_GoSwitchDestroy:
        add_wait(w, TP_WAIT_G_WAITING, id, count);
        // The rule first checks the thread's own goroutine, and refuses the event if that goroutine
        // is not running.
        add_wait(w, TP_WAIT_G_NOT_RUNNING, (uint64_t)at->g, 0);
        return ROW_GO_SWITCH;
    default: add_wait(w, TP_WAIT_GC, 0, tp_arg(e, GC, seq)); return ROW_GC;
    }
}

static void add_answer(struct tp_answers *a, enum tp_wait_kind kind, uint64_t id, uint64_t count)
{
    a->items[a->count++] = (struct tp_wait){id, count, (uint8_t)kind};
}

static void answer_p(const struct tp_order *o, int64_t id, struct tp_answers *a)
{
    uint32_t slot = tp_order_p(o, id);
    if (slot == TP_MAP_NONE)
        return;
    const struct tp_p_state *p = &o->ps.items[slot];
    bool counts = p->seq.generation == o->generation;
    if (counts && p->status == P_IDLE)
        add_answer(a, TP_WAIT_P_IDLE, (uint64_t)id, p->seq.count + 1);
    if (counts && (p->status == P_SYSCALL || p->status == P_ABANDONED))
        add_answer(a, TP_WAIT_P_LOST, (uint64_t)id, p->seq.count + 1);
    if (p->status != P_SYSCALL)
        add_answer(a, TP_WAIT_P_NO_SYSCALL, (uint64_t)id, 0);
}

static void answer_g(const struct tp_order *o, int64_t id, struct tp_answers *a)
{
    uint32_t slot = tp_order_g(o, id);
    const struct tp_g_state *g = slot != TP_MAP_NONE ? &o->gs.items[slot] : NULL;
    bool counts = g != NULL && g->seq.generation == o->generation;
    if (counts && g->status == G_RUNNABLE)
        add_answer(a, TP_WAIT_G_RUNNABLE, (uint64_t)id, g->seq.count + 1);
    if (counts && g->status == G_WAITING)
        add_answer(a, TP_WAIT_G_WAITING, (uint64_t)id, g->seq.count + 1);
    if (g == NULL || g->status != G_RUNNING)
        add_answer(a, TP_WAIT_G_NOT_RUNNING, (uint64_t)id, 0);
}

// The state that each event type changes in addition to the P and goroutine of its thread; 0: none.
// CHANGES_NOTHING: the event does not even change the P and goroutine of its thread. [first ...
// last] stands for consecutive types in the order of decode/events_v2.def.
enum change { CHANGES_P = 1, CHANGES_G = 2, CHANGES_GC = 4, CHANGES_NOTHING = 8 };
static const uint8_t changes[TP_EVENT_CODES] = {
    [TP_EV_ProcsChange] = CHANGES_NOTHING,
    [TP_EV_ProcStart] = CHANGES_P,
    [TP_EV_ProcSteal ... TP_EV_ProcStatus] = CHANGES_P,
    [TP_EV_GoCreate ... TP_EV_GoStart] = CHANGES_G,
    [TP_EV_GoUnblock] = CHANGES_G,
    [TP_EV_GoStatus] = CHANGES_G,
    [TP_EV_STWBegin ... TP_EV_STWEnd] = CHANGES_NOTHING,
    [TP_EV_GCActive ... TP_EV_GCEnd] = CHANGES_GC,
    [TP_EV_GCSweepActive ... TP_EV_UserLog] = CHANGES_NOTHING,
    [TP_EV_GoSwitch ... TP_EV_GoStatusStack] = CHANGES_G,
};

void tp_order_answers(const struct tp_order *o, const struct tp_run_event *e,
                      const struct tp_binding *before, struct tp_answers *a)
{
    int64_t id = (int64_t)tp_arg(e, Named, id);
    unsigned what = changes[e->type];
    a->count = 0;
    a->has_m = e->type == TP_EV_ProcSteal;
    a->m = (int64_t)tp_arg(e, ProcSteal, m);
    if (what == CHANGES_NOTHING)
        return;
    // If the thread has gained a P or goroutine, the event names it.
    if (what == CHANGES_P)
        answer_p(o, id, a);
    if (before->p != -1 && (what != CHANGES_P || before->p != id))
        answer_p(o, before->p, a);
    if (what == CHANGES_G)
        answer_g(o, id, a);
    if (before->g != -1 && (what != CHANGES_G || before->g != id))
        answer_g(o, before->g, a);
    if (what == CHANGES_GC)
        add_answer(a, TP_WAIT_GC, 0, o->gc_seq + 1);
}
