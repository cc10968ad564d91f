#include <assert.h>

#include "base/alloc.h"
#include "merge/upgrade/moves.h"

// The least id that the fake Ps of older traces may have; fake Ps cannot run.
#define FIRST_FAKE_P 1000000
// The first added event precedes the event that needs it by this many nanoseconds. Added events are
// one nanosecond apart, so this is enough for nearly all added events that one event needs.
#define ADDED_NS 8

int tp_upgrader_begin(struct tp_upgrader *p, struct tp_tables *tables, int64_t begin_ns,
                      int64_t shift_ns, uint64_t max_bytes, struct tp_error *err)
{
    *p = (struct tp_upgrader){
        .next_m = TP_UPGRADER_MADE_UP_M, .shift_ns = shift_ns, .last_ns = begin_ns};
    tp_order_init(&p->order, max_bytes);
    int rc = tp_order_begin(&p->order, tables, err);
    p->order.generation = p->order.first_generation = 1;
    return rc;
}

void tp_upgrader_fini(struct tp_upgrader *p)
{
    tp_order_fini(&p->order);
    tp_map_fini(&p->m_of_p);
    tp_map_fini(&p->m_of_g);
    tp_free(p->free_ms.items);
    tp_free(p->is_listed.items);
    *p = (struct tp_upgrader){0};
}

int64_t tp_upgrader_turn(struct tp_upgrader *p)
{
    p->order.generation++;
    return ++p->last_ns;
}

static void fail(struct tp_upgrader *p)
{
    if (p->err->code == 0)
        tp_fail(p->err, TP_E_MEMORY, "out of memory for threads");
}

// GIVING OUT

// Updates a map from ids of Ps or goroutines to threads, after the id bound to thread `m` has
// changed from `before` to `after`; -1: none. False: out of memory.
static bool rebind(struct tp_map *map, int64_t before, int64_t after, uint32_t m)
{
    if (before == after)
        return true;
    if (before != -1 && tp_map_get(map, (uint64_t)before) == m)
        tp_map_remove(map, (uint64_t)before);
    if (after == -1)
        return true;
    tp_map_remove(map, (uint64_t)after);
    return tp_map_put(map, (uint64_t)after, m);
}

// Adds thread `m` to the free made-up threads, unless it is listed already. False: out of memory.
static bool list_free(struct tp_upgrader *p, uint32_t m)
{
    while (p->is_listed.count <= m) {
        if (!TP_LIST_ADD(&p->is_listed, false))
            return false;
    }
    if (p->is_listed.items[m])
        return true;
    if (!TP_LIST_ADD(&p->free_ms, m))
        return false;
    p->is_listed.items[m] = true;
    return true;
}

// Updates the maps after an event of thread `m`, which was bound as in *before. False: out of
// memory.
static bool note_binding(struct tp_upgrader *p, uint32_t m, const struct tp_binding *before)
{
    const struct tp_binding *at = binding(p, m);
    bool was_free = before->p == -1 && before->g == -1, is_free = at->p == -1 && at->g == -1;
    if (!rebind(&p->m_of_p, before->p, at->p, m) || !rebind(&p->m_of_g, before->g, at->g, m))
        return false;
    bool is_given_back = !was_free && is_free && p->order.ms.items[m].id >= TP_UPGRADER_MADE_UP_M;
    return !is_given_back || list_free(p, m);
}

void tp_upgrader_give_out(struct tp_upgrader *p, int64_t m, uint32_t m_slot,
                          struct tp_run_event event)
{
    int64_t ns = event.time_ns;
    if (ns <= p->last_ns || ns > TP_UPGRADER_TIME_MAX_NS)
        ns = p->last_ns + 1;
    event.time_ns = p->last_ns = ns;
    assert(p->out_count < TP_UPGRADED_MAX);
    p->out[p->out_count++] = (struct tp_upgraded){.m = m, .m_slot = m_slot, .event = event};
}

// Passes the event to the rules of the order, and gives it out if they accept it.
static bool step(struct tp_upgrader *p, uint32_t m, const struct tp_run_event *event)
{
    struct tp_event made[TP_ORDER_STEP_EVENTS];
    struct tp_error err = {.code = 0};
    struct tp_binding before = {.p = -1, .g = -1};
    int64_t id = -1;
    if (m != NO_THREAD) {
        before = *binding(p, m);
        id = p->order.ms.items[m].id;
    }
    uint32_t slot = m;
    enum tp_verdict verdict = tp_order_step(&p->order, event, id, &slot, made, &err);
    if (verdict == TP_ORDER_BROKEN && err.code != TP_E_ORDER && p->err->code == 0)
        *p->err = err;
    if (verdict != TP_ORDER_TAKE)
        return false;
    if (m != NO_THREAD && !note_binding(p, m, &before)) {
        fail(p);
        return false;
    }
    tp_upgrader_give_out(p, id, m, *event);
    return true;
}

// STATUSES

// Gives out the status of a P that the order knows but that has no event in this generation yet;
// write_g_status does so for a goroutine.
static bool write_p_status(struct tp_upgrader *p, uint32_t m, int64_t id)
{
    uint32_t slot = tp_order_p(&p->order, id);
    if (slot == TP_MAP_NONE || p->order.ps.items[slot].seq.generation == p->order.generation)
        return true;
    uint8_t status = p->order.ps.items[slot].status;
    struct tp_run_event e = {.time_ns = p->added_ns,
                             .type = TP_EV_ProcStatus,
                             .args = {[TP_ARG_ProcStatus_p] = (uint64_t)id,
                                      [TP_ARG_ProcStatus_pstatus] = status}};
    return step(p, m, &e);
}

static bool write_g_status(struct tp_upgrader *p, uint32_t m, int64_t id)
{
    uint32_t slot = tp_order_g(&p->order, id);
    if (slot == TP_MAP_NONE || p->order.gs.items[slot].seq.generation == p->order.generation)
        return true;
    uint64_t on = m != NO_THREAD ? (uint64_t)p->order.ms.items[m].id : UINT64_MAX;
    uint8_t status = p->order.gs.items[slot].status;
    if (status != G_RUNNING && status != G_SYSCALL)
        on = UINT64_MAX;
    struct tp_run_event e = {.time_ns = p->added_ns,
                             .type = TP_EV_GoStatus,
                             .args = {[TP_ARG_GoStatus_g] = (uint64_t)id,
                                      [TP_ARG_GoStatus_m] = on,
                                      [TP_ARG_GoStatus_gstatus] = status}};
    return step(p, m, &e);
}

// Gives out the statuses that the event needs in this generation.
static bool write_statuses(struct tp_upgrader *p, uint32_t m, uint8_t type, uint64_t id)
{
    if (m != NO_THREAD &&
        !(write_p_status(p, m, binding(p, m)->p) && write_g_status(p, m, binding(p, m)->g)))
        return false;
    switch (type) {
    case TP_EV_ProcStart: return write_p_status(p, m, (int64_t)id);
    case TP_EV_GoStart:
    case TP_EV_GoUnblock: return write_g_status(p, m, (int64_t)id);
    default: return true;
    }
}

// Returns the counter that the next event of the P must have; next_of_g does so for a goroutine.
static uint64_t next_of_p(const struct tp_upgrader *p, int64_t id)
{
    uint32_t slot = tp_order_p(&p->order, id);
    return slot != TP_MAP_NONE ? p->order.ps.items[slot].seq.count + 1 : 0;
}

static uint64_t next_of_g(const struct tp_upgrader *p, int64_t id)
{
    uint32_t slot = tp_order_g(&p->order, id);
    return slot != TP_MAP_NONE ? p->order.gs.items[slot].seq.count + 1 : 0;
}

bool tp_upgrader_put(struct tp_upgrader *p, uint32_t m, uint8_t type, int64_t time_ns,
                     const uint64_t args[static TP_EVENT_ARGS])
{
    struct tp_run_event e = {.time_ns = time_ns, .type = type};
    memcpy(e.args, args, sizeof e.args);
    if (!write_statuses(p, m, type, tp_arg(&e, Named, id)))
        return false;
    switch (type) {
    case TP_EV_ProcStart:
        tp_arg(&e, ProcStart, p_seq) = next_of_p(p, (int64_t)tp_arg(&e, ProcStart, p));
        break;
    case TP_EV_GoStart:
    case TP_EV_GoUnblock:
        tp_arg(&e, Named, seq) = next_of_g(p, (int64_t)tp_arg(&e, Named, id));
        break;
    case TP_EV_GoSyscallBegin:
        tp_arg(&e, GoSyscallBegin, p_seq) = m != NO_THREAD ? next_of_p(p, binding(p, m)->p) : 0;
        break;
    case TP_EV_GCActive:
    case TP_EV_GCBegin:
    case TP_EV_GCEnd: tp_arg(&e, GC, seq) = p->order.gc_seq + 1; break;
    default: break;
    }
    return step(p, m, &e);
}

// THREADS

// Returns thread `id`, which becomes known to the order. NO_THREAD: as for tp_upgrader_thread.
static uint32_t meet(struct tp_upgrader *p, int64_t id)
{
    uint32_t slot = NO_THREAD;
    return tp_order_meet(&p->order, id, &slot, p->err) != NULL ? slot : NO_THREAD;
}

// Returns a made-up thread that is free, if need be a new one with an id that no thread has.
static uint32_t make_up_thread(struct tp_upgrader *p)
{
    while (p->free_ms.count > 0) {
        uint32_t m = p->free_ms.items[--p->free_ms.count];
        p->is_listed.items[m] = false;
        if (binding(p, m)->p == -1 && binding(p, m)->g == -1)
            return m;
    }
    while (tp_order_m(&p->order, p->next_m) != TP_MAP_NONE)
        p->next_m++;
    return meet(p, p->next_m++);
}

uint32_t tp_upgrader_thread(struct tp_upgrader *p, int64_t id)
{
    if (id < 0)
        return make_up_thread(p);
    uint32_t m = meet(p, id);
    return m == NO_THREAD || binding(p, m)->p == -1 ? m : make_up_thread(p);
}

// PS

uint32_t tp_upgrader_p(struct tp_upgrader *p, int64_t id, int64_t m_id, bool *ret_is_lent)
{
    *ret_is_lent = false;
    uint32_t m = thread_with_p(p, id);
    if (m != NO_THREAD || id < 0 || id >= FIRST_FAKE_P)
        return m;
    // A P with events on a thread runs, even if the trace lacks its start.
    *ret_is_lent = m_id < 0;
    m = tp_upgrader_thread(p, m_id);
    if (m == NO_THREAD)
        return NO_THREAD;
    bool is_known = tp_order_p(&p->order, id) != TP_MAP_NONE;
    bool ok = is_known ? ADD(p, m, ProcStart, (uint64_t)id)
                       : ADD(p, m, ProcStatus, (uint64_t)id, P_RUNNING);
    return ok ? m : NO_THREAD;
}

bool tp_upgrader_return(struct tp_upgrader *p, uint32_t m)
{
    return binding(p, m)->g != -1 || ADD(p, m, ProcStop, 0);
}

bool tp_upgrader_stop_p(struct tp_upgrader *p, uint32_t m, int64_t time_ns)
{
    int64_t g = binding(p, m)->g;
    if (g != -1 && g_status(p, g) == G_RUNNING && !ADD(p, m, GoSyscallBegin, 0))
        return false;
    return tp_upgrader_put(p, m, TP_EV_ProcStop, time_ns, (const uint64_t[TP_EVENT_ARGS]){0});
}

uint32_t tp_upgrader_vacate(struct tp_upgrader *p, uint32_t m)
{
    if (m == NO_THREAD || binding(p, m)->g == -1)
        return m;
    int64_t id = binding(p, m)->p;
    if (id == -1 || !tp_upgrader_stop_p(p, m, p->added_ns))
        return NO_THREAD;
    uint32_t other = make_up_thread(p);
    return other != NO_THREAD && ADD(p, other, ProcStart, (uint64_t)id) ? other : NO_THREAD;
}

// GOROUTINES

bool tp_upgrader_exit(struct tp_upgrader *p, int64_t g, int64_t time_ns)
{
    static const uint64_t no_args[TP_EVENT_ARGS];
    uint32_t m = thread_with_g(p, g);
    if (m == NO_THREAD)
        return false;
    int64_t id = binding(p, m)->p;
    // The thread still has the P of the system call, and must lose it before the end.
    bool is_held = id != -1 && (p_status(p, id) == P_SYSCALL || g_status(p, g) == G_RUNNING);
    if (is_held && !tp_upgrader_stop_p(p, m, p->added_ns))
        return false;
    return tp_upgrader_put(p, m, TP_EV_GoSyscallEndBlocked, time_ns, no_args) &&
           (!is_held || ADD(p, m, ProcStart, (uint64_t)id));
}

bool tp_upgrader_make_runnable(struct tp_upgrader *p, int64_t g, uint32_t m)
{
    switch (g_status(p, g)) {
    case G_RUNNABLE: return true;
    case G_WAITING: return ADD(p, NO_THREAD, GoUnblock, (uint64_t)g);
    case G_SYSCALL: return tp_upgrader_exit(p, g, p->added_ns);
    case G_RUNNING: return false;
    default: break;
    }
    // After the first generation, a goroutine that is not known cannot be from before the trace.
    return is_first_generation(&p->order)
               ? ADD(p, NO_THREAD, GoStatus, (uint64_t)g, UINT64_MAX, G_RUNNABLE)
               : ADD(p, m, GoCreate, (uint64_t)g);
}

static void count_stopped(struct tp_upgrader *p, const struct tp_event *e)
{
    if (e->type == TP_EV_STWBegin)
        p->stopped_count++;
    // The stop may have begun before the time window.
    if (e->type == TP_EV_STWEnd && p->stopped_count > 0)
        p->stopped_count--;
}

int tp_upgrader_event(struct tp_upgrader *p, const struct tp_event *e,
                      struct tp_upgraded out[static TP_UPGRADED_MAX], size_t *ret_count,
                      struct tp_error *err)
{
    struct tp_error own = {.code = 0};
    p->added_ns = tp_upgrader_time(p, e) - ADDED_NS;
    p->out = out;
    p->out_count = 0;
    p->err = &own;
    count_stopped(p, e);
    if (e->type != TP_EVENT_SYNC && !tp_upgrader_apply(p, e))
        p->left_out_count++;
    *ret_count = p->out_count;
    p->err = NULL;
    if (own.code != 0 && err != NULL)
        *err = own;
    return own.code;
}
