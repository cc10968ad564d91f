// Fast paths of the rules for the event types to which nearly all events belong (enum tp_usual).
// They are inline and handle only the usual case. Each returns true after it has taken the event
// exactly as the rule of its type does (rules_goroutine.c, rules_proc.c, rules_user.c): it makes
// the same changes to the state and the binding, counts the same row, and hands out one event. Else
// it returns false and has changed nothing; the full rule then waits, refuses, or handles a rare
// case. So each condition of a rule is a condition here, too.
//
// The event's thread must have a slot, whose binding is `at`, and must not be -1. The functions run
// on the thread to which the order belongs, and cannot fail.
#ifndef TP_MERGE_ORDER_USUAL_H
#define TP_MERGE_ORDER_USUAL_H

#include "merge/order/rules.h"

// Returns the goroutine of the thread with the binding `at`, valid until a goroutine is added; NULL
// unless the thread also has a P and the goroutine's status is `status`.
TP_INLINE struct tp_g_state *usual_user(struct tp_order *o, const struct tp_binding *at,
                                        uint8_t status)
{
    if (tp_unlikely(at->g == -1 || at->p == -1 || at->g_slot == TP_MAP_NONE))
        return NULL;
    struct tp_g_state *g = &o->gs.items[at->g_slot];
    return tp_likely(g->id == at->g && g->is_live && g->status == status) ? g : NULL;
}

// Binds a runnable goroutine to its thread, which has a P and no goroutine.
TP_INLINE bool usual_go_start(struct tp_order *o, const struct tp_run_event *e,
                              struct tp_binding *at)
{
    uint64_t seq = tp_arg(e, GoStart, g_seq);
    struct tp_g_state *g = next_g(o, tp_arg(e, GoStart, g), G_RUNNABLE, seq);
    if (tp_unlikely(g == NULL || at->p == -1 || at->g != -1))
        return false;
    g->status = G_RUNNING;
    g->seq.count = seq;
    bind_g(at, g->id, (uint32_t)(g - o->gs.items));
    o->hits[TP_RULE_GO_START]++;
    return true;
}

// Takes the goroutine off its thread when it stops (`status` runnable) or blocks (waiting).
TP_INLINE bool usual_go_leave(struct tp_order *o, struct tp_binding *at, uint8_t status,
                              enum tp_rule row)
{
    struct tp_g_state *g = usual_user(o, at, G_RUNNING);
    if (tp_unlikely(g == NULL))
        return false;
    g->status = status;
    bind_g(at, -1, TP_MAP_NONE);
    o->hits[row]++;
    return true;
}

// Makes a waiting goroutine runnable, whatever the context.
TP_INLINE bool usual_go_unblock(struct tp_order *o, const struct tp_run_event *e)
{
    uint64_t seq = tp_arg(e, GoUnblock, g_seq);
    struct tp_g_state *g = next_g(o, tp_arg(e, GoUnblock, g), G_WAITING, seq);
    if (tp_unlikely(g == NULL))
        return false;
    g->status = G_RUNNABLE;
    g->seq.count = seq;
    o->hits[TP_RULE_GO_UNBLOCK]++;
    return true;
}

// Moves the running goroutine and its P into a system call; the thread keeps both.
TP_INLINE bool usual_syscall_begin(struct tp_order *o, const struct tp_run_event *e,
                                   const struct tp_binding *at)
{
    struct tp_g_state *g = usual_user(o, at, G_RUNNING);
    if (tp_unlikely(g == NULL || at->p_slot == TP_MAP_NONE))
        return false;
    struct tp_p_state *p = &o->ps.items[at->p_slot];
    uint64_t seq = tp_arg(e, GoSyscallBegin, p_seq);
    if (tp_unlikely(!succeeds(o, seq, &p->seq)))
        return false;
    g->status = G_SYSCALL;
    p->status = P_SYSCALL;
    p->seq.count = seq;
    o->hits[TP_RULE_GO_SYSCALL_BEGIN]++;
    return true;
}

// Ends a system call during which the thread kept its P.
TP_INLINE bool usual_syscall_end(struct tp_order *o, const struct tp_binding *at)
{
    struct tp_g_state *g = usual_user(o, at, G_SYSCALL);
    if (tp_unlikely(g == NULL || at->p_slot == TP_MAP_NONE))
        return false;
    struct tp_p_state *p = &o->ps.items[at->p_slot];
    if (tp_unlikely(p->status != P_SYSCALL))
        return false;
    g->status = G_RUNNING;
    p->status = P_RUNNING;
    o->hits[TP_RULE_GO_SYSCALL_END]++;
    return true;
}

// Takes a heap metric, which changes no state but must come from a thread with a P.
TP_INLINE bool usual_heap_alloc(struct tp_order *o, const struct tp_binding *at)
{
    if (tp_unlikely(at->p == -1))
        return false;
    o->hits[TP_RULE_HEAP_METRIC]++;
    return true;
}

// Takes the event if its type is usual and so is the case; false: the full rule has to decide.
TP_INLINE bool tp_order_usual_step(struct tp_order *o, const struct tp_run_event *e,
                                   struct tp_binding *at)
{
    // The cases cover every value of three bits, so the jump needs no range check.
    switch ((enum tp_usual)(e->usual % TP_USUALS)) {
    case TP_USUAL_NONE: return false;
    case TP_USUAL_GO_START: return usual_go_start(o, e, at);
    case TP_USUAL_GO_STOP: return usual_go_leave(o, at, G_RUNNABLE, TP_RULE_GO_STOP);
    case TP_USUAL_GO_BLOCK: return usual_go_leave(o, at, G_WAITING, TP_RULE_GO_BLOCK);
    case TP_USUAL_GO_UNBLOCK: return usual_go_unblock(o, e);
    case TP_USUAL_SYSCALL_BEGIN: return usual_syscall_begin(o, e, at);
    case TP_USUAL_SYSCALL_END: return usual_syscall_end(o, at);
    case TP_USUAL_HEAP_ALLOC: return usual_heap_alloc(o, at);
    case TP_USUALS: break;
    }
    __builtin_unreachable();
}

#endif
