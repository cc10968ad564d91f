// Takes events that the rules refuse. A generation with holes (the program was killed while its
// buffers were full, or batches were damaged) lacks events that lead from one state to the next. So
// the state that an event implies for its goroutine, P and thread replaces the state known so far.

#include "merge/order/rules.h"

// Finds the P with this id, or adds it. False after filling the error.
static bool need_p(struct tp_order *o, uint64_t id, uint32_t *ret_slot, struct tp_error *err)
{
    *ret_slot = tp_order_p(o, (int64_t)id);
    return *ret_slot != TP_MAP_NONE || tp_order_add_p(o, (int64_t)id, P_BAD, ret_slot, err);
}

// Sets the state of the goroutine, and adds the goroutine if it was not known. False after filling
// the error.
static bool set_g(struct tp_order *o, uint64_t id, uint8_t status, uint64_t count,
                  uint32_t *ret_slot, struct tp_error *err)
{
    *ret_slot = tp_order_g(o, (int64_t)id);
    if (*ret_slot == TP_MAP_NONE && !tp_order_add_g(o, (int64_t)id, G_BAD, ret_slot, err))
        return false;
    o->gs.items[*ret_slot].status = status;
    o->gs.items[*ret_slot].seq = (struct tp_seq){o->generation, count};
    return true;
}

static void set_p(struct tp_order *o, uint32_t slot, uint8_t status, uint64_t count)
{
    o->ps.items[slot].status = status;
    o->ps.items[slot].seq = (struct tp_seq){o->generation, count};
}

// Removes the P or goroutine (-1: none) from every thread that is bound to it, because an event
// shows it on another thread.
static void unbind_everywhere(struct tp_order *o, int64_t p, int64_t g)
{
    o->forced_look_count += o->ms.count;
    for (uint32_t i = 1; i <= o->ms.count; i++) {
        struct tp_binding *at = &o->ms.items[i].at;
        if (p != -1 && at->p == p)
            bind_p(at, -1, TP_MAP_NONE);
        if (g != -1 && at->g == g)
            bind_g(at, -1, TP_MAP_NONE);
    }
}

static bool force_proc(struct tp_order *o, struct tp_event *out, struct tp_binding *at,
                       struct tp_error *err)
{
    uint64_t id = tp_arg(out, Named, id);
    uint32_t slot = TP_MAP_NONE;
    if (out->type == TP_EV_ProcStop) {
        slot = tp_order_p_at(o, at);
        if (slot != TP_MAP_NONE)
            o->ps.items[slot].status = P_IDLE;
        bind_p(at, -1, TP_MAP_NONE);
        return true;
    }
    if (!need_p(o, id, &slot, err))
        return false;
    unbind_everywhere(o, (int64_t)id, -1);
    if (at->p == (int64_t)id)
        bind_p(at, -1, TP_MAP_NONE);
    switch (out->type) {
    case TP_EV_ProcStart:
        set_p(o, slot, P_RUNNING, tp_arg(out, ProcStart, p_seq));
        bind_p(at, (int64_t)id, slot);
        break;
    case TP_EV_ProcSteal:
        set_p(o, slot, P_IDLE, tp_arg(out, ProcSteal, p_seq));
        tp_arg(out, ProcSteal, was_abandoned) = 0;
        break;
    default: { // ProcStatus
        uint64_t *pstatus = &tp_arg(out, ProcStatus, pstatus);
        uint8_t status = *pstatus < P_STATUSES ? (uint8_t)*pstatus : P_BAD;
        set_p(o, slot, status, 0);
        *pstatus = status;
        tp_arg(out, ProcStatus, from) = TP_STATE_UNDETERMINED;
        if (status == P_RUNNING || status == P_SYSCALL)
            bind_p(at, (int64_t)id, slot);
        break;
    }
    }
    return true;
}

static bool force_status(struct tp_order *o, struct tp_event *out, struct tp_binding *at,
                         struct tp_error *err)
{
    uint64_t g = tp_arg(out, GoStatus, g), gstatus = tp_arg(out, GoStatus, gstatus);
    uint8_t status = gstatus < G_STATUSES ? (uint8_t)gstatus : G_BAD;
    uint32_t slot;
    if (!set_g(o, g, status, 0, &slot, err))
        return false;
    tp_arg(out, GoStatus, from_gstatus) = (uint64_t)TP_STATE_UNDETERMINED << 32 | status;
    int64_t m = (int64_t)tp_arg(out, GoStatus, m);
    bool is_here = status == G_RUNNING || (status == G_SYSCALL && m == out->m);
    if (is_here)
        bind_g(at, (int64_t)g, slot);
    return true;
}

// Sets the status of the goroutine that the event names.
static bool force_named(struct tp_order *o, const struct tp_event *out, struct tp_binding *at,
                        uint8_t status, uint64_t count, struct tp_error *err)
{
    uint64_t id = tp_arg(out, Named, id);
    uint32_t slot;
    if (!set_g(o, id, status, count, &slot, err))
        return false;
    if (status == G_RUNNING || out->type == TP_EV_GoCreateSyscall) {
        unbind_everywhere(o, -1, (int64_t)id);
        bind_g(at, (int64_t)id, slot);
    }
    return true;
}

// Sets the status of the thread's current goroutine; G_BAD removes the goroutine. `leaves`: the
// thread loses it.
static void force_current(struct tp_order *o, struct tp_binding *at, uint8_t status, bool leaves)
{
    uint32_t slot = at->g == -1 ? TP_MAP_NONE : tp_order_g_at(o, at);
    if (slot != TP_MAP_NONE && status == G_BAD)
        tp_order_remove_g(o, slot);
    else if (slot != TP_MAP_NONE)
        o->gs.items[slot].status = status;
    if (leaves)
        bind_g(at, -1, TP_MAP_NONE);
}

static void force_current_p(struct tp_order *o, const struct tp_binding *at, uint8_t status)
{
    uint32_t slot = at->p == -1 ? TP_MAP_NONE : tp_order_p_at(o, at);
    if (slot != TP_MAP_NONE)
        o->ps.items[slot].status = status;
}

static bool force_switch(struct tp_order *o, struct tp_event *out, struct tp_binding *at,
                         struct tp_error *err)
{
    bool is_end = out->type == TP_EV_GoSwitchDestroy;
    force_current(o, at, is_end ? G_BAD : G_WAITING, true);
    if (!force_named(o, out, at, G_RUNNING, tp_arg(out, Named, seq), err))
        return false;
    tp_order_spread_switch(o, out);
    return true;
}

// Drops the goroutine's open regions and ranges instead of guessing which of them have ended.
// Events of tasks and regions contain the task or region itself, and events of ranges contain the
// range's type.
static void force_user(struct tp_order *o, struct tp_event *out, const struct tp_binding *at)
{
    if (out->type == TP_EV_UserTaskBegin && tp_arg(out, UserTaskBegin, parent_task) == 0)
        tp_arg(out, UserTaskBegin, parent_task) = TP_NO_TASK;
    if (out->type == TP_EV_UserTaskEnd) {
        tp_arg(out, UserTaskEnd, parent_task) = TP_NO_TASK;
        tp_arg(out, UserTaskEnd, name) = TP_STRING_EMPTY;
    }
    uint32_t slot = at->g == -1 ? TP_MAP_NONE : tp_order_g_at(o, at);
    if (slot != TP_MAP_NONE) {
        tp_order_remove_ranges(o, &o->gs.items[slot].range);
        tp_order_remove_regions(o, &o->gs.items[slot]);
    }
    if (out->type == TP_EV_UserRegionEnd)
        tp_arg(out, UserRegionEnd, is_stray) = 0;
    if (out->type == TP_EV_STWEnd)
        tp_arg(out, STWEnd, kind_string) = 0;
}

static bool force(struct tp_order *o, struct tp_event *out, struct tp_binding *at,
                  struct tp_error *err)
{
    switch (out->type) {
    case TP_EV_ProcStart:
    case TP_EV_ProcStop:
    case TP_EV_ProcSteal:
    case TP_EV_ProcStatus: return force_proc(o, out, at, err);
    case TP_EV_GoStatus:
    case TP_EV_GoStatusStack: return force_status(o, out, at, err);
    case TP_EV_GoCreate: return force_named(o, out, at, G_RUNNABLE, 0, err);
    case TP_EV_GoCreateBlocked: return force_named(o, out, at, G_WAITING, 0, err);
    case TP_EV_GoCreateSyscall: return force_named(o, out, at, G_SYSCALL, 0, err);
    case TP_EV_GoStart:
        return force_named(o, out, at, G_RUNNING, tp_arg(out, GoStart, g_seq), err);
    case TP_EV_GoUnblock:
        return force_named(o, out, at, G_RUNNABLE, tp_arg(out, GoUnblock, g_seq), err);
    case TP_EV_GoSwitch:
    case TP_EV_GoSwitchDestroy: return force_switch(o, out, at, err);
    case TP_EV_GoDestroy: force_current(o, at, G_BAD, true); return true;
    case TP_EV_GoStop: force_current(o, at, G_RUNNABLE, true); return true;
    case TP_EV_GoBlock: force_current(o, at, G_WAITING, true); return true;
    case TP_EV_GoSyscallBegin:
        force_current(o, at, G_SYSCALL, false);
        force_current_p(o, at, P_SYSCALL);
        return true;
    case TP_EV_GoSyscallEnd:
        force_current(o, at, G_RUNNING, false);
        force_current_p(o, at, P_RUNNING);
        return true;
    case TP_EV_GoSyscallEndBlocked:
        force_current(o, at, G_RUNNABLE, true);
        bind_p(at, -1, TP_MAP_NONE);
        return true;
    case TP_EV_GoDestroySyscall:
        force_current(o, at, G_BAD, true);
        bind_p(at, -1, TP_MAP_NONE);
        return true;
    case TP_EV_GCActive:
    case TP_EV_GCBegin:
    case TP_EV_GCEnd: set_gc(o, out); return true;
    default: force_user(o, out, at); return true;
    }
}

bool tp_order_force(struct tp_order *o, const struct tp_run_event *next, int64_t m,
                    uint32_t *m_slot, struct tp_event *out, struct tp_error *err)
{
    if (tp_order_rules[next->type] == NULL) {
        tp_order_bad_type(next, err);
        return false;
    }
    if (o->forced_look_count > TP_FORCED_LOOKS_MAX) {
        tp_fail(err, TP_E_ORDER, "too many events that follow from none before");
        return false;
    }
    if (*m_slot == TP_MAP_NONE && tp_order_meet(o, m, m_slot, err) == NULL)
        return false;
    // A copy, because forcing may add threads, which moves all bindings.
    struct tp_binding at = *m_slot != TP_MAP_NONE ? o->ms.items[*m_slot].at : o->nobody;
    set_event(out, next, m, &at);
    o->made_count = 1;
    if (!force(o, out, &at, err))
        return false;
    if (*m_slot != TP_MAP_NONE)
        o->ms.items[*m_slot].at = at;
    o->forced_count++;
    return true;
}
