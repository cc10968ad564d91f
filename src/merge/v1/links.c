#include "merge/v1/links.h"

#include "base/alloc.h"

#define FIRST_WITH_GLOBAL_STW 10
#define FIRST_WITH_STACKS_OF_STARTS 7

// Places are kept plus 1; 0: none.
struct links_g {
    uint64_t change_plus_1;  // its last change that something answers
    uint64_t start_plus_1;   // since it runs
    uint64_t assist_plus_1;
    uint64_t created_stack;
    uint32_t region_plus_1;  // its innermost
    bool is_created;         // and has not run since
    bool is_in_syscall;      // `change` is a GoSysCall
};

struct links_p {
    uint64_t sweep_plus_1;
    uint64_t stw_plus_1;     // before Go 1.10; or a scan
    uint64_t gc_plus_1;      // before Go 1.5
};

// What linking an event has at hand.
struct subject {
    struct tp_v1_links *l;
    struct tp_v1_ordered *e;
    uint64_t place;
    int64_t ns;
    struct tp_error *err;
};

static bool is_before_1_5(const struct tp_v1_links *l)
{
    return l->minor == 0;
}

void tp_v1_links_fini(struct tp_v1_links *l)
{
    tp_slab_fini(&l->gs);
    tp_slab_fini(&l->ps);
    tp_slab_fini(&l->tasks);
    tp_free(l->regions.items);
    *l = (struct tp_v1_links){0};
}

static int no_memory(struct tp_error *err)
{
    return tp_fail(err, TP_E_MEMORY, "out of memory for the links between events");
}

// NULL: out of memory.
static struct links_g *g_of(struct tp_v1_links *l, uint64_t id)
{
    return tp_slab_get_or_add(&l->gs, id, sizeof(struct links_g));
}

static struct tp_v1_told told_of(const struct subject *s)
{
    const struct tp_v1_ordered *e = s->e;
    return (struct tp_v1_told){.place = s->place, .offset = e->offset, .ns = s->ns, .g = e->g,
                               .args = {e->args[0], e->args[1], e->args[2]}, .p = e->p};
}

// BEGINNINGS AND ENDS

// The event answers what was noted, if something was.
static int answer(struct subject *s, uint64_t *noted_plus_1)
{
    uint64_t noted = *noted_plus_1;
    *noted_plus_1 = 0;
    return noted != 0 ? s->l->found(s->l->ctx, noted - 1, s->err) : 0;
}

static int note(struct subject *s, uint64_t *noted_plus_1)
{
    *noted_plus_1 = s->place + 1;
    return 0;
}

static int add_of_collector(struct subject *s)
{
    struct tp_v1_links *l = s->l;
    struct links_p *p = tp_slab_get_or_add(&l->ps, (uint64_t)s->e->p, sizeof *p);
    if (p == NULL)
        return no_memory(s->err);
    uint64_t *gc = is_before_1_5(l) ? &p->gc_plus_1 : &l->gc_plus_1;
    uint64_t *stw = l->minor < FIRST_WITH_GLOBAL_STW ? &p->stw_plus_1 : &l->stw_plus_1;
    switch (s->e->type) {
    case TP_V1_GCStart: return note(s, gc);
    case TP_V1_GCDone: return answer(s, gc);
    case TP_V1_STWStart: return note(s, stw);
    case TP_V1_STWDone: return answer(s, stw);
    case TP_V1_GCSweepStart: return note(s, &p->sweep_plus_1);
    default: return answer(s, &p->sweep_plus_1);
    }
}

// GOROUTINES

static int create(struct subject *s)
{
    struct links_g *g = g_of(s->l, s->e->args[0]);
    if (g == NULL)
        return no_memory(s->err);
    *g = (struct links_g){.change_plus_1 = s->place + 1, .created_stack = s->e->args[1],
                                .is_created = true};
    return 0;
}

static int start(struct subject *s, struct links_g *g)
{
    // Up to Go 1.6 it is the PC of a function, and no stack.
    if (g->is_created && s->l->minor >= FIRST_WITH_STACKS_OF_STARTS)
        s->e->stack = g->created_stack;
    g->is_created = g->is_in_syscall = false;
    g->start_plus_1 = s->place + 1;
    return answer(s, &g->change_plus_1);
}

static int change(struct subject *s, struct links_g *g)
{
    g->is_in_syscall = s->e->type == TP_V1_GoSysCall;
    return note(s, &g->change_plus_1);
}

// It does not run any more, and this is what comes next of it.
static int leave(struct subject *s, struct links_g *g)
{
    int rc = answer(s, &g->start_plus_1);
    return rc == 0 ? change(s, g) : rc;
}

static int unblock(struct subject *s)
{
    struct links_g *g = g_of(s->l, s->e->args[0]);
    if (g == NULL)
        return no_memory(s->err);
    int rc = answer(s, &g->change_plus_1);
    return rc == 0 ? change(s, g) : rc;
}

static int exit_syscall(struct subject *s, struct links_g *g)
{
    int rc = g->is_in_syscall ? answer(s, &g->change_plus_1) : 0;
    return rc == 0 ? change(s, g) : rc;
}

// TASKS AND REGIONS

const struct tp_v1_told *tp_v1_links_task(const struct tp_v1_links *l, uint64_t id)
{
    return tp_slab_get(&l->tasks, id);
}

const struct tp_v1_told *tp_v1_links_region(const struct tp_v1_links *l, uint64_t g)
{
    const struct links_g *known = tp_slab_get(&l->gs, g);
    return known != NULL && known->region_plus_1 != 0
               ? &l->regions.items[known->region_plus_1 - 1].begin
               : NULL;
}

static int begin_task(struct subject *s)
{
    struct tp_v1_told *begin = tp_slab_get_or_add(&s->l->tasks, s->e->args[0], sizeof *begin);
    if (begin == NULL)
        return no_memory(s->err);
    *begin = told_of(s);
    return 0;
}

static int end_task(struct subject *s)
{
    struct tp_v1_links *l = s->l;
    const struct tp_v1_told *begin = tp_v1_links_task(l, s->e->args[0]);
    if (begin == NULL)
        return 0; // it began before the trace
    uint64_t place = begin->place;
    tp_slab_remove(&l->tasks, s->e->args[0]);
    return l->found(l->ctx, place, s->err);
}

static int begin_region(struct subject *s, struct links_g *g)
{
    struct tp_v1_links *l = s->l;
    uint32_t slot = l->free_region_plus_1 - 1;
    if (l->free_region_plus_1 != 0)
        l->free_region_plus_1 = l->regions.items[slot].outer_plus_1;
    else if (TP_LIST_ROOM(&l->regions))
        slot = l->regions.count++;
    else
        return no_memory(s->err);
    l->regions.items[slot] = (struct tp_v1_links_region){told_of(s), g->region_plus_1};
    g->region_plus_1 = slot + 1;
    return 0;
}

// The innermost, if there is one.
static int end_region(struct subject *s, struct links_g *g)
{
    struct tp_v1_links *l = s->l;
    if (g->region_plus_1 == 0)
        return 0;
    struct tp_v1_links_region *r = &l->regions.items[g->region_plus_1 - 1];
    uint32_t outer_plus_1 = r->outer_plus_1;
    r->outer_plus_1 = l->free_region_plus_1;
    l->free_region_plus_1 = g->region_plus_1;
    g->region_plus_1 = outer_plus_1;
    return l->found(l->ctx, r->begin.place, s->err);
}

static int end_g(struct subject *s, struct links_g *g)
{
    int rc = answer(s, &g->start_plus_1);
    while (rc == 0 && g->region_plus_1 != 0)
        rc = end_region(s, g);
    if (rc == 0)
        tp_slab_remove(&s->l->gs, s->e->g); // nothing answers it any more
    return rc;
}

// EVENTS

static int add_of_g(struct subject *s, struct links_g *g)
{
    switch (s->e->type) {
    case TP_V1_GCMarkAssistStart: return note(s, &g->assist_plus_1);
    case TP_V1_GCMarkAssistDone: return answer(s, &g->assist_plus_1);
    case TP_V1_GoWaiting:
    case TP_V1_GoInSyscall:
    case TP_V1_GoSysCall: return change(s, g);
    case TP_V1_GoStart:
    case TP_V1_GoStartLabel: return start(s, g);
    case TP_V1_GoEnd: return end_g(s, g);
    case TP_V1_GoStop:
    case TP_V1_GoSysBlock: return answer(s, &g->start_plus_1);
    case TP_V1_GoSched:
    case TP_V1_GoPreempt:
    case TP_V1_GoSleep:
    case TP_V1_GoBlock:
    case TP_V1_GoBlockSend:
    case TP_V1_GoBlockRecv:
    case TP_V1_GoBlockSelect:
    case TP_V1_GoBlockSync:
    case TP_V1_GoBlockCond:
    case TP_V1_GoBlockNet:
    case TP_V1_GoBlockGC: return leave(s, g);
    case TP_V1_GoSysExit: return exit_syscall(s, g);
    case TP_V1_UserRegion:
        return s->e->args[1] == 0 ? begin_region(s, g) : end_region(s, g);
    default: return 0;
    }
}

static bool is_full(const struct tp_v1_links *l)
{
    size_t bytes = tp_slab_bytes(&l->gs) + tp_slab_bytes(&l->ps) + tp_slab_bytes(&l->tasks);
    return bytes + l->regions.count * sizeof *l->regions.items > l->max_bytes;
}

int tp_v1_links_add(struct tp_v1_links *l, struct tp_v1_ordered *e, uint64_t place, int64_t ns,
                    struct tp_error *err)
{
    struct subject s = {.l = l, .e = e, .place = place, .ns = ns, .err = err};
    if (is_full(l))
        return tp_fail(err, TP_E_LIMIT, "links between events do not fit into %llu bytes",
                       (unsigned long long)l->max_bytes);
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
    // Of those of nobody nothing is kept, whoever they name.
    case TP_V1_Gomaxprocs:
    case TP_V1_ProcStart:
    case TP_V1_ProcStop:
    case TP_V1_HeapAlloc:
    case TP_V1_HeapGoal:
    case TP_V1_FutileWakeup:
    case TP_V1_UserLog:
    case TP_V1_CPUSample: return 0;
    // Before Go 1.5 these are of who tells it, and the creation goes on waiting for an answer.
    case TP_V1_GoWaiting:
    case TP_V1_GoInSyscall:
        if (is_before_1_5(l))
            return 0;
        break;
    default: break;
    }
    struct links_g *g = g_of(l, e->g);
    return g != NULL ? add_of_g(&s, g) : no_memory(err);
}
