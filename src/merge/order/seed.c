// Infers the P and goroutine of each thread at the beginning of a generation from the generation's
// own events, for an order that starts in the middle of a trace. The runtime writes a status event
// for each P and goroutine before the first event that changes the P or goroutine, on the thread
// that runs it. So a thread's first event about its P, or about its goroutine, shows which one the
// thread had.

#include "merge/order/cursor.h"
#include "merge/order/rules.h"

struct seeding {
    struct tp_order *o;
    struct tp_map abandoned;  // set of Ps whose status is "abandoned": lost in a system call
    struct tp_error *err;
};

// Records whether a thread has already had an event about its P, and one about its goroutine.
struct heard {
    bool of_p;
    bool of_g;
};

static struct tp_binding *binding_of(struct seeding *s, int64_t m)
{
    uint32_t slot = tp_order_m(s->o, m);
    if (slot == TP_MAP_NONE && !tp_order_add_m(s->o, m, &slot, s->err))
        return NULL;
    return &s->o->ms.items[slot].at;
}

static bool seed_g(struct seeding *s, int64_t m, uint64_t g)
{
    struct tp_binding *at = binding_of(s, m);
    if (at != NULL && at->g == -1)
        bind_g(at, (int64_t)g, TP_MAP_NONE);
    return at != NULL;
}

static bool seed_p(struct seeding *s, int64_t m, uint64_t p)
{
    struct tp_binding *at = binding_of(s, m);
    if (at != NULL && at->p == -1)
        bind_p(at, (int64_t)p, TP_MAP_NONE);
    return at != NULL;
}

static bool hear_go_status(struct seeding *s, int64_t m, const struct tp_run_event *e,
                           struct heard *h)
{
    uint64_t g = tp_arg(e, GoStatus, g), status = tp_arg(e, GoStatus, gstatus);
    int64_t on = (int64_t)tp_arg(e, GoStatus, m);
    if (status == G_SYSCALL && on != m)
        return on == -1 || seed_g(s, on, g);
    if (m == -1 || h->of_g || (status != G_RUNNING && status != G_SYSCALL))
        return true;
    h->of_g = true;
    return seed_g(s, m, g);
}

static bool hear_proc_status(struct seeding *s, int64_t m, const struct tp_run_event *e,
                           struct heard *h)
{
    uint64_t p = tp_arg(e, ProcStatus, p), status = tp_arg(e, ProcStatus, pstatus);
    if (status == P_ABANDONED && tp_map_get(&s->abandoned, p) == TP_MAP_NONE &&
        !tp_map_put(&s->abandoned, p, 1)) {
        tp_fail(s->err, TP_E_MEMORY, "out of memory for the states of Ps");
        return false;
    }
    if (m == -1 || h->of_p || (status != P_RUNNING && status != P_SYSCALL))
        return true;
    h->of_p = true;
    return seed_p(s, m, p);
}

static bool hear(struct seeding *s, int64_t m, const struct tp_run_event *e,
                           struct heard *h)
{
    switch (e->type) {
    case TP_EV_GoStatus:
    case TP_EV_GoStatusStack: return hear_go_status(s, m, e, h);
    case TP_EV_ProcStatus: return hear_proc_status(s, m, e, h);
    case TP_EV_ProcStart:
    case TP_EV_ProcStop: h->of_p = true; return true;
    case TP_EV_GoStart:
    case TP_EV_GoCreateSyscall: h->of_g = true; return true;
    default: return true;
    }
}

// If `e` is the first theft of an abandoned P, binds the P to the thread that had it, which the
// event names.
static bool hear_theft(struct seeding *s, const struct tp_run_event *e)
{
    uint64_t p = tp_arg(e, ProcSteal, p);
    uint32_t slot;
    if (e->type != TP_EV_ProcSteal || tp_arg(e, ProcSteal, p_seq) != 1 ||
        tp_map_get(&s->abandoned, p) == TP_MAP_NONE ||
        tp_order_p(s->o, (int64_t)p) != TP_MAP_NONE)
        return true;
    return tp_order_add_p(s->o, (int64_t)p, P_SYSCALL, &slot, s->err) &&
           seed_p(s, (int64_t)tp_arg(e, ProcSteal, m), p);
}

static bool hear_run(struct seeding *s, const struct tp_m_run *run, const struct tp_tables *t,
                     struct tp_batch_loader *loader, bool of_thefts, size_t event_max)
{
    struct tp_cursor c;
    struct tp_run_event ahead[TP_CURSOR_AHEAD];
    struct tp_error ignored;
    struct heard h = {0};
    bool ok = true;
    tp_cursor_init(&c, run);
    tp_cursor_use_ahead(&c, ahead, TP_CURSOR_AHEAD);
    // An event that cannot be decoded is reported when the sequencer reaches it.
    for (size_t i = 0; ok && i < event_max; i++) {
        if (tp_cursor_advance(&c, t, loader, &ignored) != TP_CURSOR_EVENT)
            break;
        ok = of_thefts ? hear_theft(s, c.next) : hear(s, c.m, c.next, &h);
    }
    tp_cursor_fini(&c);
    return ok;
}

int tp_order_seed(struct tp_order *o, const struct tp_generation *g, const struct tp_tables *t,
                  struct tp_batch_loader *loader, struct tp_error *err)
{
    struct seeding s = {.o = o, .err = err};
    bool ok = true;
    o->begins_in_middle = true;
    for (size_t i = 0; i < g->ms.count && ok; i++)
        ok = hear_run(&s, &g->ms.items[i], t, loader, false, SIZE_MAX);
    for (size_t i = 0; i < g->ms.count && ok && s.abandoned.count > 0; i++)
        ok = hear_run(&s, &g->ms.items[i], t, loader, true, SIZE_MAX);
    tp_map_fini(&s.abandoned);
    return ok ? 0 : err->code;
}

int tp_order_seed_first(struct tp_order *o, const struct tp_generation *g,
                        const struct tp_tables *t, struct tp_batch_loader *loader,
                        struct tp_error *err)
{
    struct seeding s = {.o = o, .err = err};
    bool ok = true;
    for (size_t i = 0; i < g->ms.count && ok; i++) {
        int64_t m = (int64_t)g->ms.items[i].m;
        ok = (m == -1 || binding_of(&s, m) != NULL) &&
             hear_run(&s, &g->ms.items[i], t, loader, false, TP_SEED_FIRST_EVENTS);
    }
    tp_map_fini(&s.abandoned);
    return ok ? 0 : err->code;
}
