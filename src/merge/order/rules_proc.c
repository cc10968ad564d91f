#include "merge/order/rules.h"

// PROCS

// Moves the event to the thread that holds `p`, whichever thread wrote the event. False: no thread
// holds `p`.
static bool move_to_holder(const struct tp_order *o, struct tp_event *out, int64_t p)
{
    for (uint32_t i = 1; i <= o->ms.count; i++) {
        const struct tp_m_state *m = &o->ms.items[i];
        if (m->at.p == p) {
            out->m = m->id;
            out->p = p;
            out->g = m->at.g;
            return true;
        }
    }
    return false;
}

enum tp_verdict tp_rule_proc_status(struct tp_order *o, struct tp_event *out,
                                   struct tp_binding *at, struct tp_error *err)
{
    int64_t id = (int64_t)tp_arg(out, ProcStatus, p);
    uint8_t status = (uint8_t)tp_arg(out, ProcStatus, pstatus);
    // Go's reader checks only the low byte, and its printer panics on a larger value.
    if (status >= P_STATUSES || tp_arg(out, ProcStatus, pstatus) >= P_STATUSES)
        return BROKEN("invalid status for proc %lld: %u", (long long)id, status);
    uint64_t from = tp_proc_state(status);
    bool is_promoted = false;
    enum tp_rule row = TP_RULE_PROC_STATUS_KNOWN;
    uint32_t slot = tp_order_p(o, id);
    if (slot == TP_MAP_NONE && is_assuming(o)) {
        if (!assumption(o, TP_ASSUME_P, (uint64_t)id, status, err) ||
            !tp_order_add_p(o, id, status, &slot, err))
            return TP_ORDER_BROKEN;
        if (status == P_ABANDONED)
            row = TP_RULE_PROC_STATUS_ABANDONED;
    } else if (slot == TP_MAP_NONE) {
        row = is_first_generation(o) ? TP_RULE_PROC_STATUS_FIRST : TP_RULE_PROC_STATUS_NEW;
        from = may_be_from_before(o) ? TP_STATE_UNDETERMINED : TP_STATE_NOT_EXIST;
        if (!tp_order_add_p(o, id, status, &slot, err))
            return TP_ORDER_BROKEN;
    } else {
        struct tp_p_state *p = &o->ps.items[slot];
        if (status == P_ABANDONED && p->status == P_SYSCALL) {
            // The thread that holds the P may be one that the speculator does not know yet.
            if (is_assuming(o))
                return UNKNOWN_BEFORE;
            // The status "abandoned" means that the thread that holds the P may be lost, but here
            // that thread is still known.
            row = TP_RULE_PROC_STATUS_PROMOTED;
            is_promoted = true;
            from = TP_STATE_RUNNING;
            tp_arg(out, ProcStatus, pstatus) = P_SYSCALL;
        } else if (status == P_ABANDONED && p->status == P_ABANDONED) {
            row = TP_RULE_PROC_STATUS_ABANDONED;
            from = TP_STATE_IDLE;
        } else if (p->status != status) {
            return BROKEN("inconsistent status for proc %lld: old %s vs. new %s", (long long)id,
                          tp_p_status_names[p->status], tp_p_status_names[status]);
        }
        p->seq = (struct tp_seq){o->generation, 0};
    }
    tp_arg(out, ProcStatus, from) = from;
    if (status == P_RUNNING || status == P_SYSCALL)
        bind_p(at, id, slot);
    if (is_promoted && !move_to_holder(o, out, id))
        return BROKEN("failed to find sched context for proc %lld that's about to be stolen",
                      (long long)id);
    o->hits[row]++;
    return TP_ORDER_TAKE;
}

// Takes the start of a P that already counts as running, because its status was believed (see
// doubt.h).
static TP_NOINLINE bool start_believed(const struct tp_order *o, struct tp_event *out,
                                       struct tp_p_state *p)
{
    if (!p->awaits_start || p->status != P_RUNNING || out->p != p->id ||
        !succeeds(o, tp_arg(out, ProcStart, p_seq), &p->seq))
        return false;
    p->seq.count = tp_arg(out, ProcStart, p_seq);
    p->awaits_start = false;
    tp_arg(out, ProcStart, was_running) = 1;
    return true;
}

enum tp_verdict tp_rule_proc_start(struct tp_order *o, struct tp_event *out, struct tp_binding *at,
                                  struct tp_error *err)
{
    int64_t id = (int64_t)tp_arg(out, ProcStart, p);
    uint32_t slot = tp_order_p(o, id);
    // If the thread still has a P, the thread may be in a system call, and the theft of that P may
    // not be ordered yet, so the start waits.
    if (slot == TP_MAP_NONE || o->ps.items[slot].status != P_IDLE ||
        !succeeds(o, tp_arg(out, ProcStart, p_seq), &o->ps.items[slot].seq) || out->p != -1) {
        if (slot != TP_MAP_NONE && start_believed(o, out, &o->ps.items[slot]))
            return TAKEN(PROC_START_RUNNING);
        return WAIT(PROC_START_WAIT);
    }
    if (!tp_context_check(out, MUST, MUST_NOT, ANY, err))
        return TP_ORDER_BROKEN;
    o->ps.items[slot].status = P_RUNNING;
    o->ps.items[slot].seq.count = tp_arg(out, ProcStart, p_seq);
    bind_p(at, id, slot);
    return TAKEN(PROC_START);
}

enum tp_verdict tp_rule_proc_stop(struct tp_order *o, struct tp_event *out, struct tp_binding *at,
                                 struct tp_error *err)
{
    uint32_t slot = tp_order_p_at(o, at);
    if (slot == TP_MAP_NONE)
        return BROKEN("event %s for proc (%lld) that doesn't exist", name_of(out),
                      (long long)out->p);
    struct tp_p_state *p = &o->ps.items[slot];
    if (p->status != P_RUNNING && p->status != P_SYSCALL)
        return BROKEN("%s event for proc that's not Running or Syscall", name_of(out));
    if (!has_proc(out, err))
        return TP_ORDER_BROKEN;
    p->status = P_IDLE;
    bind_p(at, -1, TP_MAP_NONE);
    return TAKEN(PROC_STOP);
}

enum tp_verdict tp_rule_proc_steal(struct tp_order *o, struct tp_event *out, struct tp_binding *at,
                                  struct tp_error *err)
{
    int64_t id = (int64_t)tp_arg(out, ProcSteal, p);
    int64_t victim = (int64_t)tp_arg(out, ProcSteal, m);
    uint32_t slot = tp_order_p(o, id);
    struct tp_p_state *p = slot == TP_MAP_NONE ? NULL : &o->ps.items[slot];
    if (p == NULL || (p->status != P_SYSCALL && p->status != P_ABANDONED) ||
        !succeeds(o, tp_arg(out, ProcSteal, p_seq), &p->seq))
        return WAIT(PROC_STEAL_WAIT);
    if (!tp_context_check(out, MUST, ANY, ANY, err))
        return TP_ORDER_BROKEN;
    bool was_abandoned = p->status == P_ABANDONED;
    tp_arg(out, ProcSteal, was_abandoned) = was_abandoned;
    p->status = P_IDLE;
    p->seq.count = tp_arg(out, ProcSteal, p_seq);
    // The victim may have moved on to other work, so its binding is not checked.
    if (was_abandoned)
        return TAKEN(PROC_STEAL_ABANDONED);
    if (victim == out->m) {
        if (out->p != id)
            return BROKEN("tried to self-steal proc %lld (thread %lld), but got proc %lld instead",
                          (long long)id, (long long)victim, (long long)out->p);
        bind_p(at, -1, TP_MAP_NONE);
        return TAKEN(PROC_STEAL_SELF);
    }
    uint32_t m_slot = tp_order_m(o, victim);
    if (m_slot == TP_MAP_NONE)
        return BROKEN("stole proc from non-existent thread %lld", (long long)victim);
    struct tp_binding *theirs = &o->ms.items[m_slot].at;
    if (theirs->p != id)
        return BROKEN("tried to steal proc %lld from thread %lld, but got proc %lld instead",
                      (long long)id, (long long)victim, (long long)theirs->p);
    // The victim was in a system call, which it cannot leave before it notices this theft.
    bind_p(theirs, -1, TP_MAP_NONE);
    return TAKEN(PROC_STEAL);
}

// SYSTEM CALLS

enum tp_verdict tp_rule_go_syscall_begin(struct tp_order *o, struct tp_event *out,
                                        struct tp_binding *at, struct tp_error *err)
{
    if (!has_user(out, err))
        return TP_ORDER_BROKEN;
    struct tp_g_state *g = tp_current_g(o, out, at, G_RUNNING, err);
    struct tp_p_state *p = g != NULL ? tp_current_p(o, out, at, err) : NULL;
    if (p == NULL)
        return TP_ORDER_BROKEN;
    uint64_t seq = tp_arg(out, GoSyscallBegin, p_seq);
    // Events of other threads do not change the counter of a running P. So the counter must be one
    // below `seq` already, and the event never waits. The event has a counter only so that a
    // ProcSteal can distinguish system calls that look alike.
    if (!succeeds(o, seq, &p->seq))
        return BROKEN("failed to advance %s: can't make sequence: %llu (gen=%llu) -> %llu "
                      "(gen=%llu)", name_of(out), (unsigned long long)p->seq.count,
                      (unsigned long long)p->seq.generation, (unsigned long long)seq,
                      (unsigned long long)o->generation);
    g->status = G_SYSCALL;
    p->status = P_SYSCALL;
    p->seq.count = seq;
    return TAKEN(GO_SYSCALL_BEGIN);
}

enum tp_verdict tp_rule_go_syscall_end(struct tp_order *o, struct tp_event *out,
                                      struct tp_binding *at, struct tp_error *err)
{
    if (!has_user(out, err))
        return TP_ORDER_BROKEN;
    struct tp_g_state *g = tp_current_g(o, out, at, G_SYSCALL, err);
    struct tp_p_state *p = g != NULL ? tp_current_p(o, out, at, err) : NULL;
    if (p == NULL)
        return TP_ORDER_BROKEN;
    if (p->status != P_SYSCALL)
        return BROKEN("expected proc %lld in state Syscall, but got %s instead",
                      (long long)out->p, tp_p_status_names[p->status]);
    g->status = G_RUNNING;
    p->status = P_RUNNING;
    return TAKEN(GO_SYSCALL_END);
}

enum tp_verdict tp_rule_go_syscall_end_blocked(struct tp_order *o, struct tp_event *out,
                                              struct tp_binding *at, struct tp_error *err)
{
    // The event implies that the P was stolen during the system call, so the event waits until that
    // theft is ordered.
    if (out->p != -1) {
        struct tp_p_state *p = tp_current_p(o, out, at, err);
        if (p == NULL)
            return TP_ORDER_BROKEN;
        if (p->status == P_SYSCALL)
            return WAIT(GO_SYSCALL_END_BLOCKED_WAIT);
    }
    if (!tp_context_check(out, MUST, ANY, MUST, err))
        return TP_ORDER_BROKEN;
    struct tp_g_state *g = tp_current_g(o, out, at, G_SYSCALL, err);
    if (g == NULL)
        return TP_ORDER_BROKEN;
    g->status = G_RUNNABLE;
    bind_g(at, -1, TP_MAP_NONE);
    return TAKEN(GO_SYSCALL_END_BLOCKED);
}

// Ends a goroutine that was created for a callback from C. The runtime may give its thread to
// another goroutine at once, so a P that the thread still has counts as lost: an extra event steals
// the P from its own thread.
enum tp_verdict tp_rule_go_destroy_syscall(struct tp_order *o, struct tp_event *out,
                                          struct tp_binding *at, struct tp_error *err)
{
    if (!tp_context_check(out, MUST, ANY, MUST, err))
        return TP_ORDER_BROKEN;
    struct tp_g_state *g = tp_current_g(o, out, at, G_SYSCALL, err);
    if (g == NULL)
        return TP_ORDER_BROKEN;
    count_open(o, g, out);
    tp_order_remove_g(o, (uint32_t)(g - o->gs.items));
    bind_g(at, -1, TP_MAP_NONE);
    if (out->p == -1)
        return TAKEN(GO_DESTROY_SYSCALL);
    uint32_t slot = tp_order_p_at(o, at);
    if (slot == TP_MAP_NONE)
        return BROKEN("found invalid proc %lld during %s", (long long)out->p, name_of(out));
    struct tp_p_state *p = &o->ps.items[slot];
    if (p->status != P_SYSCALL)
        return BROKEN("proc %lld in unexpected state %s during %s", (long long)out->p,
                      tp_p_status_names[p->status], name_of(out));
    p->status = P_ABANDONED;
    bind_p(at, -1, TP_MAP_NONE);
    out[1] = out[0];
    out[0] = synthetic(out, TP_EV_ProcSteal);
    tp_arg(&out[0], ProcSteal, p) = (uint64_t)out->p;
    o->made_count = 2;
    return TAKEN(GO_DESTROY_SYSCALL_WITH_PROC);
}
