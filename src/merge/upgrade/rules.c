#include "merge/upgrade/moves.h"

// A rule: gives out the events that `e` becomes. False: `e` is left out.
typedef bool place_fn(struct tp_upgrader *p, const struct tp_event *e);

// Gives out the event itself on thread `m`.
static bool put(struct tp_upgrader *p, const struct tp_event *e, uint32_t m)
{
    return tp_upgrader_put(p, m, e->type, tp_upgrader_time(p, e), e->args);
}

static uint64_t id_of(const struct tp_upgrader *p, uint32_t m)
{
    return (uint64_t)p->order.ms.items[m].id;
}

// THE GOROUTINE OF AN EVENT

// Makes a goroutine that the order does not know run on thread `m`.
static bool begin_running(struct tp_upgrader *p, int64_t g, uint32_t m)
{
    if (is_first_generation(&p->order))
        return ADD(p, m, GoStatus, (uint64_t)g, id_of(p, m), G_RUNNING);
    return tp_upgrader_make_runnable(p, g, m) && ADD(p, m, GoStart, (uint64_t)g);
}

// Returns the thread on which the event's goroutine runs. A goroutine that the order does not know
// yet, because events begin in the middle of a trace, begins to run. NO_THREAD: it does not run.
static uint32_t thread_of_user(struct tp_upgrader *p, const struct tp_event *e)
{
    uint8_t status = e->g > 0 ? g_status(p, e->g) : (uint8_t)G_WAITING;
    if (status == G_RUNNING)
        return thread_with_g(p, e->g);
    if (status != G_BAD)
        return NO_THREAD;
    bool is_lent;
    uint32_t m = tp_upgrader_vacate(p, tp_upgrader_p(p, e->p, e->m, &is_lent));
    return m != NO_THREAD && begin_running(p, e->g, m) ? m : NO_THREAD;
}

// Gives out an event of a running goroutine.
static bool place_of_user(struct tp_upgrader *p, const struct tp_event *e)
{
    uint32_t m = thread_of_user(p, e);
    p->all_is_known |= e->type == TP_EV_ProcsChange;
    return m != NO_THREAD && put(p, e, m);
}

// Gives out the beginning of a task. On the wire, parent 0 means that the task has no parent.
static bool place_task_begin(struct tp_upgrader *p, const struct tp_event *e)
{
    struct tp_event as = *e;
    if (tp_arg(&as, UserTaskBegin, parent_task) == TP_NO_TASK)
        tp_arg(&as, UserTaskBegin, parent_task) = 0;
    return place_of_user(p, &as);
}

// Gives out an event that needs a P, which may be idle, but no goroutine.
static bool place_of_p(struct tp_upgrader *p, const struct tp_event *e)
{
    bool is_lent;
    uint32_t m = tp_upgrader_p(p, e->p, e->m, &is_lent);
    return m != NO_THREAD && put(p, e, m) && (!is_lent || tp_upgrader_return(p, m));
}

// RANGES

// Adds the Active event of the range that `e` ends, if that range began before the first event.
static bool recall(struct tp_upgrader *p, uint32_t m, const struct tp_event *e)
{
    struct tp_order *o = &p->order;
    const struct tp_binding *at = binding(p, m);
    uint32_t slot;
    switch (e->type) {
    case TP_EV_GCEnd:
        return o->gc_state != TP_GC_UNDETERMINED || ADD(p, m, GCActive, 0);
    case TP_EV_GCSweepEnd:
        slot = tp_order_p_at(o, at);
        return o->ps.items[slot].range != 0 ||
               ADD(p, m, GCSweepActive, (uint64_t)at->p);
    default:
        slot = tp_order_g_at(o, at);
        return tp_order_has_range(o, o->gs.items[slot].range,
                                  (struct tp_range_key){.type = TP_EV_GCMarkAssistBegin}) ||
               ADD(p, m, GCMarkAssistActive, (uint64_t)at->g);
    }
}

static bool place_end(struct tp_upgrader *p, const struct tp_event *e)
{
    bool is_lent = false;
    uint32_t m = e->type == TP_EV_GCSweepEnd ? tp_upgrader_p(p, e->p, e->m, &is_lent)
                                             : thread_of_user(p, e);
    if (m == NO_THREAD || (is_first_generation(&p->order) && !recall(p, m, e)))
        return false;
    return put(p, e, m) && (!is_lent || tp_upgrader_return(p, m));
}

// PS

static bool place_p_start(struct tp_upgrader *p, const struct tp_event *e)
{
    int64_t id = (int64_t)tp_arg(e, Named, id);
    uint32_t m = thread_with_p(p, id);
    // A P that has a thread counts as running, because an earlier event needed it: stop it first.
    if (id < 0 || (m != NO_THREAD && !tp_upgrader_stop_p(p, m, p->added_ns)))
        return false;
    m = tp_upgrader_thread(p, e->m);
    if (m == NO_THREAD)
        return false;
    return p_status(p, id) == P_BAD ? PUT_AS(p, e, m, ProcStatus, (uint64_t)id, P_RUNNING)
                                    : PUT_AS(p, e, m, ProcStart, (uint64_t)id);
}

// Gives out the stop of a P on the thread that has the P. If the order does not know the P, gives
// out the P's first status instead, which is idle.
static bool place_p_stop(struct tp_upgrader *p, const struct tp_event *e)
{
    uint32_t m = thread_with_p(p, e->p);
    if (m != NO_THREAD)
        return tp_upgrader_stop_p(p, m, tp_upgrader_time(p, e));
    return e->p >= 0 && p_status(p, e->p) == P_BAD &&
           PUT_AS(p, e, NO_THREAD, ProcStatus, (uint64_t)e->p, P_IDLE);
}

static bool place_p_status(struct tp_upgrader *p, const struct tp_event *e)
{
    return tp_arg(e, ProcStatus, pstatus) == P_RUNNING ? place_p_start(p, e) : place_p_stop(p, e);
}

// GOROUTINES

static bool place_create(struct tp_upgrader *p, const struct tp_event *e)
{
    bool is_lent = false;
    uint32_t m = e->g > 0 ? thread_of_user(p, e) : tp_upgrader_p(p, e->p, e->m, &is_lent);
    // A goroutine in a system call cannot create another one.
    if (m != NO_THREAD && binding(p, m)->g != -1 && g_status(p, binding(p, m)->g) != G_RUNNING)
        m = tp_upgrader_vacate(p, m);
    p->all_is_known = true;
    return m != NO_THREAD && put(p, e, m) && (!is_lent || tp_upgrader_return(p, m));
}

static bool place_start(struct tp_upgrader *p, const struct tp_event *e)
{
    bool is_lent;
    uint32_t m = tp_upgrader_vacate(p, tp_upgrader_p(p, e->p, e->m, &is_lent));
    p->all_is_known = true;
    int64_t g = (int64_t)tp_arg(e, GoStart, g);
    return m != NO_THREAD && tp_upgrader_make_runnable(p, g, m) && put(p, e, m);
}

static bool place_unblock(struct tp_upgrader *p, const struct tp_event *e)
{
    int64_t g = (int64_t)tp_arg(e, GoUnblock, g);
    uint8_t status = g_status(p, g);
    if (status == G_SYSCALL)
        return tp_upgrader_exit(p, g, tp_upgrader_time(p, e));
    if (status == G_BAD && is_first_generation(&p->order) &&
        !ADD(p, NO_THREAD, GoStatus, (uint64_t)g, UINT64_MAX, G_WAITING))
        return false;
    uint32_t m = e->g > 0 ? thread_with_g(p, e->g) : NO_THREAD;
    return put(p, e, m != NO_THREAD ? m : thread_with_p(p, e->p));
}

// Gives out a GoStatus for a goroutine that is new to the order: the goroutine is in a system call,
// on a made-up thread. False: the first generation has ended, or a failure (see moves.h).
static bool put_in_syscall(struct tp_upgrader *p, int64_t g, int64_t time_ns)
{
    uint32_t m = is_first_generation(&p->order) ? tp_upgrader_thread(p, -1) : NO_THREAD;
    if (m == NO_THREAD)
        return false;
    const uint64_t args[TP_EVENT_ARGS] = {(uint64_t)g, id_of(p, m), G_SYSCALL};
    return tp_upgrader_put(p, m, TP_EV_GoStatus, time_ns, args);
}

static bool place_status(struct tp_upgrader *p, const struct tp_event *e)
{
    int64_t g = (int64_t)tp_arg(e, GoStatus, g);
    uint8_t status = (uint8_t)tp_arg(e, GoStatus, gstatus);
    bool is_lent;
    uint32_t m;
    if (g_status(p, g) == G_BAD && status == G_SYSCALL)
        return put_in_syscall(p, g, tp_upgrader_time(p, e));
    if (status != G_RUNNING)
        return g_status(p, g) == G_BAD && put(p, e, NO_THREAD);
    m = tp_upgrader_vacate(p, tp_upgrader_p(p, e->p, e->m, &is_lent));
    if (m == NO_THREAD)
        return false;
    if (g_status(p, g) == G_BAD && is_first_generation(&p->order))
        return PUT_AS(p, e, m, GoStatus, (uint64_t)g, id_of(p, m), G_RUNNING);
    return tp_upgrader_make_runnable(p, g, m) && PUT_AS(p, e, m, GoStart, (uint64_t)g);
}

// Gives out the end of a system call that blocked. If, as far as the order knows, the goroutine
// waits for something else, gives out the unblocking of the goroutine instead.
static bool place_exit(struct tp_upgrader *p, const struct tp_event *e)
{
    switch (g_status(p, e->g)) {
    case G_RUNNABLE: return false;
    case G_WAITING: return PUT_AS(p, e, NO_THREAD, GoUnblock, (uint64_t)e->g);
    case G_BAD:
        return put_in_syscall(p, e->g, p->added_ns) &&
               tp_upgrader_exit(p, e->g, tp_upgrader_time(p, e));
    default: return tp_upgrader_exit(p, e->g, tp_upgrader_time(p, e));
    }
}

static bool place_syscall_end(struct tp_upgrader *p, const struct tp_event *e)
{
    uint32_t m = thread_with_g(p, e->g);
    return m != NO_THREAD && put(p, e, m);
}

static bool place_sample(struct tp_upgrader *p, const struct tp_event *e)
{
    struct tp_run_event sample = {.time_ns = tp_upgrader_time(p, e), .type = TP_EV_CPUSample};
    memcpy(sample.args, e->args, sizeof sample.args);
    tp_upgrader_give_out(p, -1, NO_THREAD, sample);
    return true;
}

static place_fn *const rules[TP_EVENT_CODES] = {
    [TP_EV_ProcsChange] = place_of_user,
    [TP_EV_ProcStart] = place_p_start,
    [TP_EV_ProcStop] = place_p_stop,
    [TP_EV_ProcStatus] = place_p_status,
    [TP_EV_GoCreate] = place_create,
    [TP_EV_GoStart] = place_start,
    [TP_EV_GoDestroy] = place_of_user,
    [TP_EV_GoStop] = place_of_user,
    [TP_EV_GoBlock] = place_of_user,
    [TP_EV_GoUnblock] = place_unblock,
    [TP_EV_GoSyscallBegin] = place_of_user,
    [TP_EV_GoSyscallEnd] = place_syscall_end,
    [TP_EV_GoSyscallEndBlocked] = place_exit,
    [TP_EV_GoStatus] = place_status,
    [TP_EV_STWBegin] = place_of_user,
    [TP_EV_STWEnd] = place_of_user,
    [TP_EV_GCBegin] = place_of_user,
    [TP_EV_GCEnd] = place_end,
    [TP_EV_GCSweepBegin] = place_of_p,
    [TP_EV_GCSweepEnd] = place_end,
    [TP_EV_GCMarkAssistBegin] = place_of_user,
    [TP_EV_GCMarkAssistEnd] = place_end,
    [TP_EV_HeapAlloc] = place_of_p,
    [TP_EV_HeapGoal] = place_of_p,
    [TP_EV_GoLabel] = place_of_user,
    [TP_EV_UserTaskBegin] = place_task_begin,
    [TP_EV_UserTaskEnd] = place_of_user,
    [TP_EV_UserRegionBegin] = place_of_user,
    [TP_EV_UserRegionEnd] = place_of_user,
    [TP_EV_UserLog] = place_of_user,
    [TP_EV_CPUSample] = place_sample,
};

bool tp_upgrader_apply(struct tp_upgrader *p, const struct tp_event *e)
{
    place_fn *rule = rules[e->type];
    return rule != NULL && rule(p, e);
}
