#include "merge/order/rules.h"

// Handles a status event according to which goroutine `id` is in a system call on thread `on`.
static enum tp_verdict status_in_syscall(struct tp_order *o, struct tp_event *out,
                                         struct tp_binding *at, int64_t id, uint32_t slot,
                                         int64_t on, struct tp_error *err)
{
    if (on == -1)
        return BROKEN("found goroutine %lld in syscall without a thread", (long long)id);
    if (on == out->m) {
        if (!is_first_generation(o) && out->g != id)
            return BROKEN("inconsistent thread for syscalling goroutine %lld: thread has "
                          "goroutine %lld", (long long)id, (long long)out->g);
        bind_g(at, id, slot);
        return TAKEN(GO_STATUS_SYSCALL_HERE);
    }
    uint32_t m_slot = tp_order_m(o, on);
    if (m_slot == TP_MAP_NONE && is_assuming(o)) {
        out->g = id;
        out->m = on;
        return assumption(o, TP_ASSUME_M_HAS_G, (uint64_t)on, (uint64_t)id, err)
                   ? TAKEN(GO_STATUS_SYSCALL_THERE)
                   : TP_ORDER_BROKEN;
    }
    if (m_slot == TP_MAP_NONE) {
        // This event binds the goroutine, which has existed since before the trace, to the thread.
        // out->g does not become `id`, because out->g shows the state before the event.
        if (!tp_order_add_m(o, on, &m_slot, err))
            return TP_ORDER_BROKEN;
        bind_g(&o->ms.items[m_slot].at, id, slot);
        out->m = on;
        return TAKEN(GO_STATUS_SYSCALL_NEW_THREAD);
    }
    int64_t theirs = o->ms.items[m_slot].at.g;
    if (theirs != id)
        return BROKEN("inconsistent thread for syscalling goroutine %lld: thread has "
                      "goroutine %lld", (long long)id, (long long)theirs);
    out->g = theirs;
    out->m = on;
    return TAKEN(GO_STATUS_SYSCALL_THERE);
}

enum tp_verdict tp_rule_go_status(struct tp_order *o, struct tp_event *out, struct tp_binding *at,
                                 struct tp_error *err)
{
    int64_t id = (int64_t)tp_arg(out, GoStatus, g);
    uint8_t status = (uint8_t)tp_arg(out, GoStatus, gstatus);
    if (status >= G_STATUSES)
        return BROKEN("invalid status for goroutine %lld: %u", (long long)id, status);
    uint64_t from = tp_go_state(status);
    enum tp_rule row = TP_RULE_GO_STATUS_KNOWN;
    uint32_t slot = tp_order_g(o, id);
    if (slot != TP_MAP_NONE) {
        struct tp_g_state *g = &o->gs.items[slot];
        if (g->status != status)
            return BROKEN("inconsistent status for goroutine %lld: old %s vs. new %s",
                          (long long)id, tp_g_status_names[g->status], tp_g_status_names[status]);
        g->seq = (struct tp_seq){o->generation, 0};
    } else if (is_assuming(o)) {
        if (!assumption(o, TP_ASSUME_G, (uint64_t)id, status, err) ||
            !tp_order_add_g(o, id, status, &slot, err))
            return TP_ORDER_BROKEN;
        o->gs.items[slot].marks.is_assumed = true;
    } else if (may_be_from_before(o)) {
        row = TP_RULE_GO_STATUS_FIRST;
        from = TP_STATE_UNDETERMINED;
        if (!tp_order_add_g(o, id, status, &slot, err))
            return TP_ORDER_BROKEN;
    } else {
        return BROKEN("found goroutine status for new goroutine after the first generation: "
                      "id=%lld status=%s", (long long)id, tp_g_status_names[status]);
    }
    tp_arg(out, GoStatus, from_gstatus) = from << 32 | status;
    if (status == G_SYSCALL)
        return status_in_syscall(o, out, at, id, slot, (int64_t)tp_arg(out, GoStatus, m), err);
    if (status == G_RUNNING)
        bind_g(at, id, slot);
    o->hits[row]++;
    return TP_ORDER_TAKE;
}

// Adds a goroutine that the event creates. False after filling the error.
static bool create_g(struct tp_order *o, const struct tp_event *e, uint8_t status,
                     uint32_t *ret_slot, struct tp_error *err)
{
    int64_t id = (int64_t)tp_arg(e, Named, id);
    if (tp_order_g(o, id) != TP_MAP_NONE) {
        tp_fail(err, TP_E_ORDER, "tried to create goroutine (%lld)%s that already exists",
                (long long)id, e->type == TP_EV_GoCreateSyscall ? " in syscall" : "");
        return false;
    }
    if (!assumption(o, TP_ASSUME_NO_G, (uint64_t)id, 0, err) ||
        !tp_order_add_g(o, id, status, ret_slot, err))
        return false;
    o->gs.items[*ret_slot].is_new = true;
    return true;
}

enum tp_verdict tp_rule_go_create(struct tp_order *o, struct tp_event *out, struct tp_binding *at,
                                 struct tp_error *err)
{
    if (!has_proc(out, err))
        return TP_ORDER_BROKEN;
    uint32_t creator = tp_order_g_at(o, at), slot;
    if (creator != TP_MAP_NONE && o->gs.items[creator].status != G_RUNNING)
        return BROKEN("%s event for goroutine that's not Running", name_of(out));
    if (creator == TP_MAP_NONE && out->g != -1 && is_assuming(o))
        return UNKNOWN_BEFORE;
    bool is_blocked = out->type == TP_EV_GoCreateBlocked;
    if (!create_g(o, out, is_blocked ? G_WAITING : G_RUNNABLE, &slot, err))
        return TP_ORDER_BROKEN;
    return is_blocked ? TAKEN(GO_CREATE_BLOCKED) : TAKEN(GO_CREATE);
}

enum tp_verdict tp_rule_go_create_syscall(struct tp_order *o, struct tp_event *out,
                                         struct tp_binding *at, struct tp_error *err)
{
    uint32_t slot;
    if (!tp_context_check(out, MUST, ANY, MUST_NOT, err) ||
        !create_g(o, out, G_SYSCALL, &slot, err))
        return TP_ORDER_BROKEN;
    bind_g(at, o->gs.items[slot].id, slot);
    return TAKEN(GO_CREATE_SYSCALL);
}

enum tp_verdict tp_rule_go_start(struct tp_order *o, struct tp_event *out, struct tp_binding *at,
                                struct tp_error *err)
{
    uint64_t seq = tp_arg(out, GoStart, g_seq);
    struct tp_g_state *g = next_g(o, tp_arg(out, GoStart, g), G_RUNNABLE, seq);
    if (g == NULL)
        return WAIT(GO_START_WAIT);
    if (!tp_context_check(out, MUST, MUST, MUST_NOT, err))
        return TP_ORDER_BROKEN;
    g->status = G_RUNNING;
    g->seq.count = seq;
    bind_g(at, g->id, (uint32_t)(g - o->gs.items));
    return TAKEN(GO_START);
}

// Handles the events with which the current goroutine stops running, for good or for a while.
enum tp_verdict tp_rule_go_stop_exec(struct tp_order *o, struct tp_event *out,
                                    struct tp_binding *at, struct tp_error *err)
{
    if (!has_user(out, err))
        return TP_ORDER_BROKEN;
    struct tp_g_state *g = tp_current_g(o, out, at, G_RUNNING, err);
    if (g == NULL)
        return TP_ORDER_BROKEN;
    bind_g(at, -1, TP_MAP_NONE);
    if (out->type == TP_EV_GoBlock) {
        g->status = G_WAITING;
        return TAKEN(GO_BLOCK);
    }
    if (out->type == TP_EV_GoStop) {
        g->status = G_RUNNABLE;
        return TAKEN(GO_STOP);
    }
    count_open(o, g, out);
    tp_order_remove_g(o, (uint32_t)(g - o->gs.items));
    return TAKEN(GO_DESTROY);
}

enum tp_verdict tp_rule_go_unblock(struct tp_order *o, struct tp_event *out, struct tp_binding *at,
                                  struct tp_error *err)
{
    (void)at;
    (void)err;
    uint64_t seq = tp_arg(out, GoUnblock, g_seq);
    struct tp_g_state *g = next_g(o, tp_arg(out, GoUnblock, g), G_WAITING, seq);
    if (g == NULL)
        return WAIT(GO_UNBLOCK_WAIT);
    g->status = G_RUNNABLE;
    g->seq.count = seq;
    return TAKEN(GO_UNBLOCK);
}

void tp_order_spread_switch(struct tp_order *o, struct tp_event *out)
{
    out[1] = synthetic(out, out->type == TP_EV_GoSwitchDestroy ? TP_EV_GoDestroy : TP_EV_GoBlock);
    out[2] = synthetic(out, TP_EV_GoStart);
    out[2].g = -1;
    tp_arg(&out[2], GoStart, g) = tp_arg(out, Named, id);
    tp_arg(&out[2], GoStart, g_seq) = tp_arg(out, Named, seq);
    o->made_count = 3;
}

// Hands out three events: the first unblocks the next goroutine, the second blocks or destroys the
// current goroutine, the third starts the next goroutine.
enum tp_verdict tp_rule_go_switch(struct tp_order *o, struct tp_event *out, struct tp_binding *at,
                                 struct tp_error *err)
{
    if (!has_user(out, err))
        return TP_ORDER_BROKEN;
    struct tp_g_state *g = tp_current_g(o, out, at, G_RUNNING, err);
    if (g == NULL)
        return TP_ORDER_BROKEN;
    uint64_t seq = tp_arg(out, Named, seq);
    struct tp_g_state *next = next_g(o, tp_arg(out, Named, id), G_WAITING, seq);
    if (next == NULL)
        return WAIT(GO_SWITCH_WAIT);
    bool is_end = out->type == TP_EV_GoSwitchDestroy;
    if (is_end) {
        count_open(o, g, out);
        tp_order_remove_g(o, (uint32_t)(g - o->gs.items));
    } else {
        g->status = G_WAITING;
    }
    next->status = G_RUNNING;
    next->seq.count = seq;
    bind_g(at, next->id, (uint32_t)(next - o->gs.items));
    tp_order_spread_switch(o, out);
    return is_end ? TAKEN(GO_SWITCH_DESTROY) : TAKEN(GO_SWITCH);
}
