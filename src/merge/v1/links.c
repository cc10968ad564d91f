#include "merge/v1/links.h"

#define FIRST_WITH_GLOBAL_STW 10
#define FIRST_WITH_STACKS_OF_STARTS 7

// The event to link.
struct subject {
    struct tp_v1_links *l;
    struct tp_v1_ordered *e;
    uint64_t place;
    int64_t ns;
    struct tp_error *err;
};

static bool is_before_1_5(const struct tp_v1_links *l)
{
    return l->check->minor == 0;
}

static int no_memory(struct tp_error *err)
{
    return tp_fail(err, TP_E_MEMORY, "out of memory for the links between events");
}

// Returns the check's record of a goroutine, which is added if needed. NULL: out of memory.
static struct tp_v1_legacy_g *g_of(struct tp_v1_links *l, uint64_t id)
{
    return (struct tp_v1_legacy_g *)tp_v1_check_g(l->check, id);
}

static struct tp_v1_open_event open_event_of(const struct subject *s)
{
    return (struct tp_v1_open_event){.place = s->place, .offset = s->e->offset, .ns = s->ns,
                                     .g = s->e->g, .p = s->e->p};
}

// BEGINNINGS AND ENDS

// Links the event to the earlier event whose place is *noted, if there is one, and clears *noted.
static int answer(struct subject *s, uint64_t *noted)
{
    uint64_t earlier = *noted;
    *noted = 0;
    return earlier != 0 ? s->l->found(s->l->ctx, earlier, s->err) : 0;
}

static int note(struct subject *s, uint64_t *noted)
{
    *noted = s->place;
    return 0;
}

static int add_of_collector(struct subject *s)
{
    struct tp_v1_links *l = s->l;
    // The P that the check has looked up: the event's own, even if the check has moved the event.
    struct tp_v1_legacy_p *p = (struct tp_v1_legacy_p *)l->check->last_p;
    uint64_t *gc = is_before_1_5(l) ? &p->gc : &l->gc;
    uint64_t *stw = l->check->minor < FIRST_WITH_GLOBAL_STW ? &p->stw : &l->stw;
    switch (s->e->type) {
    case TP_V1_GCStart: return note(s, gc);
    case TP_V1_GCDone: return answer(s, gc);
    case TP_V1_STWStart: return note(s, stw);
    case TP_V1_STWDone: return answer(s, stw);
    case TP_V1_GCSweepStart: return note(s, &p->sweep);
    default: return answer(s, &p->sweep);
    }
}

// GOROUTINES

static int create(struct subject *s)
{
    struct tp_v1_legacy_g *g = g_of(s->l, tp_v1_arg(s->e, GoCreate, g));
    if (g == NULL)
        return no_memory(s->err);
    *g = (struct tp_v1_legacy_g){.g = g->g, .wakeup = g->wakeup, .is_created = true,
                                 .change = s->place,
                                 .created_stack = tp_v1_arg(s->e, GoCreate, new_stack)};
    return 0;
}

static int start(struct subject *s, struct tp_v1_legacy_g *g)
{
    // Up to Go 1.6 a creation names the PC of a function instead of a stack.
    if (g->is_created && s->l->check->minor >= FIRST_WITH_STACKS_OF_STARTS)
        s->e->stack = g->created_stack;
    g->is_created = g->is_in_syscall = false;
    g->start = s->place;
    return answer(s, &g->change);
}

static int change(struct subject *s, struct tp_v1_legacy_g *g)
{
    g->is_in_syscall = s->e->type == TP_V1_GoSysCall;
    return note(s, &g->change);
}

// Handles an event with which the goroutine stops running: links the goroutine's start to the
// event, and notes the event as the goroutine's last change.
static int leave(struct subject *s, struct tp_v1_legacy_g *g)
{
    int rc = answer(s, &g->start);
    return rc == 0 ? change(s, g) : rc;
}

static int unblock(struct subject *s)
{
    struct tp_v1_legacy_g *g = g_of(s->l, tp_v1_arg(s->e, GoUnblock, g));
    if (g == NULL)
        return no_memory(s->err);
    int rc = answer(s, &g->change);
    return rc == 0 ? change(s, g) : rc;
}

static int exit_syscall(struct subject *s, struct tp_v1_legacy_g *g)
{
    int rc = g->is_in_syscall ? answer(s, &g->change) : 0;
    return rc == 0 ? change(s, g) : rc;
}

// TASKS AND REGIONS

static struct tp_v1_legacy_task *task_of(const struct tp_v1_links *l, uint64_t id)
{
    return (struct tp_v1_legacy_task *)tp_v1_check_task(l->check, id);
}

static int begin_task(struct subject *s)
{
    task_of(s->l, tp_v1_arg(s->e, UserTaskCreate, task))->begin = open_event_of(s);
    return 0;
}

static int end_task(struct subject *s)
{
    struct tp_v1_links *l = s->l;
    uint64_t id = tp_v1_arg(s->e, UserTaskEnd, task);
    const struct tp_v1_legacy_task *task = task_of(l, id);
    if (task == NULL)
        return 0; // it began before the trace
    uint64_t place = task->begin.place;
    tp_v1_check_end_task(l->check, id);
    return l->found(l->ctx, place, s->err);
}

// Returns the open region in a slot; NULL: the slot is 0.
static struct tp_v1_legacy_region *region_at(const struct subject *s, uint32_t slot)
{
    return (struct tp_v1_legacy_region *)tp_v1_check_region(s->l->check, slot);
}

// Notes the beginning of the region that the check has added.
static int begin_region(struct subject *s, const struct tp_v1_legacy_g *g)
{
    region_at(s, g->g.region)->begin = open_event_of(s);
    return 0;
}

// Links the beginning of a region of the goroutine, if the slot is not 0, to the event.
static int end_region(struct subject *s, struct tp_v1_legacy_g *g, uint32_t slot)
{
    const struct tp_v1_legacy_region *region = region_at(s, slot);
    if (region == NULL)
        return 0;
    uint64_t place = region->begin.place;
    tp_v1_check_end_region(s->l->check, &g->g, s->e->g, slot);
    return s->l->found(s->l->ctx, place, s->err);
}

// Ends a goroutine: no later event answers one of its events.
static int end_g(struct subject *s, struct tp_v1_legacy_g *g)
{
    int rc = answer(s, &g->start);
    while (rc == 0 && g->g.region != 0)
        rc = end_region(s, g, g->g.region);
    if (rc != 0)
        return rc;
    *g = (struct tp_v1_legacy_g){.g = g->g};
    return tp_v1_check_end_g(s->l->check, s->e->g) ? 0 : no_memory(s->err);
}

// EVENTS

static int add_of_g(struct subject *s, struct tp_v1_legacy_g *g)
{
    switch (s->e->type) {
    case TP_V1_GCMarkAssistStart: return note(s, &g->assist);
    case TP_V1_GCMarkAssistDone: return answer(s, &g->assist);
    case TP_V1_GoWaiting:
    case TP_V1_GoInSyscall:
    case TP_V1_GoSysCall: return change(s, g);
    case TP_V1_GoStart:
    case TP_V1_GoStartLabel: return start(s, g);
    case TP_V1_GoEnd: return end_g(s, g);
    case TP_V1_GoStop:
    case TP_V1_GoSysBlock: return answer(s, &g->start);
    case TP_V1_GoSched:
    case TP_V1_GoPreempt:
    case TP_V1_GoSleep:
    case TP_V1_GoBlock:
    case TP_V1_GoBlockSend ... TP_V1_GoBlockNet:
    case TP_V1_GoBlockGC: return leave(s, g);
    case TP_V1_GoSysExit: return exit_syscall(s, g);
    case TP_V1_UserRegion:
        return tp_v1_arg(s->e, UserRegion, mode) == 0
                   ? begin_region(s, g)
                   : end_region(s, g, s->l->check->ended_region);
    default: return 0;
    }
}

int tp_v1_links_add(struct tp_v1_links *l, struct tp_v1_ordered *e, uint64_t place, int64_t ns,
                    struct tp_error *err)
{
    struct subject s = {.l = l, .e = e, .place = place, .ns = ns, .err = err};
    switch (e->type) {
    case TP_V1_GCStart:
    case TP_V1_GCDone:
    case TP_V1_STWStart:
    case TP_V1_STWDone:
    case TP_V1_GCSweepStart:
    case TP_V1_GCSweepDone: return add_of_collector(&s);
    case TP_V1_GoCreate: return create(&s);
    case TP_V1_GoUnblock: return unblock(&s);
    case TP_V1_UserTaskCreate: return begin_task(&s);
    case TP_V1_UserTaskEnd: return end_task(&s);
    // Events of these types have no links, so their goroutine need not be kept.
    case TP_V1_Gomaxprocs:
    case TP_V1_ProcStart:
    case TP_V1_ProcStop:
    case TP_V1_HeapAlloc:
    case TP_V1_HeapGoal:
    case TP_V1_FutileWakeup:
    case TP_V1_UserLog:
    case TP_V1_CPUSample: return 0;
    // Before Go 1.5 events of these types belong to the running goroutine and answer no creation.
    case TP_V1_GoWaiting:
    case TP_V1_GoInSyscall:
        if (is_before_1_5(l))
            return 0;
        break;
    default: break;
    }
    struct tp_v1_legacy_g *g = g_of(l, e->g);
    return g != NULL ? add_of_g(&s, g) : no_memory(err);
}
