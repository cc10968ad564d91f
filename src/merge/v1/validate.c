#include "merge/v1/validate.h"

#include <stdio.h>

#include "base/alloc.h"
#include "merge/v1/mistakes.h"

#define FIRST_WITH_GLOBAL_STW 10

enum { G_DEAD, G_RUNNABLE, G_RUNNING, G_WAITING };

// The size of a slab's items, which are larger with is_legacy.
#define ITEM_BYTES(c, kind) \
    ((c)->is_legacy ? sizeof(struct tp_v1_legacy_##kind) : sizeof(struct tp_v1_##kind))

// The event to check, with its goroutine and P. Only inlined functions get a pointer to it, so that
// its members stay in registers.
struct subject {
    struct tp_v1_check *c;
    struct tp_v1_ordered *e;
    struct tp_v1_g *g; // the event's
    struct tp_v1_p *p;
    int64_t ns;
    struct tp_error *err;
};

static bool is_before_1_5(const struct subject *s)
{
    return s->c->minor == 0;
}

void tp_v1_check_fini(struct tp_v1_check *c)
{
    tp_slab_fini(&c->gs);
    tp_slab_fini(&c->ps);
    tp_slab_fini(&c->tasks);
    tp_map_fini(&c->ended);
    tp_nests_fini(&c->regions);
    tp_ended_tasks_fini(&c->ended_tasks);
    *c = (struct tp_v1_check){0};
}

static int no_memory(struct tp_error *err)
{
    return tp_fail(err, TP_E_MEMORY, "out of memory for goroutines and Ps");
}

static TP_NOINLINE struct tp_v1_g *add_g(struct tp_v1_check *c, uint64_t id)
{
    struct tp_v1_g *g = tp_slab_get_or_add(&c->gs, id, ITEM_BYTES(c, g));
    c->has_grown = true;
    c->last_g = NULL; // adding may have moved it
    if (g == NULL)
        return NULL;
    // Goroutine 0 stands for code that runs outside goroutines.
    g->state = id == 0 ? G_RUNNING : G_DEAD;
    g->exists = id == 0 || tp_map_get(&c->ended, id) != TP_MAP_NONE;
    return g;
}

// Returns the record of a goroutine, which is added if needed. NULL: out of memory.
static struct tp_v1_g *g_of(struct tp_v1_check *c, uint64_t id)
{
    struct tp_v1_g *g = tp_slab_get(&c->gs, id, ITEM_BYTES(c, g));
    return tp_likely(g != NULL) ? g : add_g(c, id);
}

// Does the same as g_of with a cache, because most events have the goroutine of the previous event.
static struct tp_v1_g *g_of_event(struct tp_v1_check *c, uint64_t id)
{
    if (c->last_g == NULL || c->last_g_id != id) {
        c->last_g = g_of(c, id);
        c->last_g_id = id;
    }
    return c->last_g;
}

static TP_NOINLINE struct tp_v1_p *add_p(struct tp_v1_check *c, uint64_t id)
{
    c->last_p = tp_slab_get_or_add(&c->ps, id, ITEM_BYTES(c, p));
    c->has_grown = true;
    return c->last_p;
}

static TP_NOINLINE struct tp_v1_p *find_p(struct tp_v1_check *c, uint64_t id)
{
    c->last_p = tp_slab_get(&c->ps, id, ITEM_BYTES(c, p));
    c->last_p_id = id;
    return tp_likely(c->last_p != NULL) ? c->last_p : add_p(c, id);
}

static struct tp_v1_p *p_of(struct tp_v1_check *c, uint64_t id)
{
    return tp_likely(c->last_p != NULL && c->last_p_id == id) ? c->last_p : find_p(c, id);
}

bool tp_v1_check_waits(const struct tp_v1_check *c, uint64_t g)
{
    const struct tp_v1_g *known = tp_slab_get(&c->gs, g, ITEM_BYTES(c, g));
    return known != NULL && known->state == G_WAITING;
}

struct tp_v1_g *tp_v1_check_g(struct tp_v1_check *c, uint64_t id)
{
    return c->last_g != NULL && c->last_g_id == id ? c->last_g : g_of(c, id);
}

struct tp_v1_region *tp_v1_check_region(const struct tp_v1_check *c, uint32_t slot)
{
    return slot != 0 ? tp_slots_at(&c->regions.slots, slot, ITEM_BYTES(c, region)) : NULL;
}

void tp_v1_check_end_region(struct tp_v1_check *c, struct tp_v1_g *g, uint64_t id, uint32_t slot)
{
    if (slot != 0)
        tp_nests_remove(&c->regions, &g->region, id, slot, ITEM_BYTES(c, region));
}

bool tp_v1_check_end_g(struct tp_v1_check *c, uint64_t id)
{
    struct tp_v1_g *g = tp_slab_get(&c->gs, id, ITEM_BYTES(c, g));
    if (g == NULL)
        return true;
    while (g->region != 0)
        tp_v1_check_end_region(c, g, id, g->region);
    // In Go's check an assist goes on after its goroutine has ended.
    if (c->is_strict && g->assists)
        return true;
    tp_slab_remove(&c->gs, id, ITEM_BYTES(c, g));
    c->last_g = NULL;
    c->has_grown |= c->is_strict;
    return !c->is_strict || tp_map_get(&c->ended, id) != TP_MAP_NONE ||
           tp_map_put(&c->ended, id, 1);
}

// WORDS

#define REFUSE(s, ...) tp_fail((s)->err, TP_E_ORDER, __VA_ARGS__)

struct place {
    char text[64];
};

static TP_NOINLINE const char *write_place(struct place *to, bool has_offset, uint64_t offset,
                                           int64_t ns)
{
    if (has_offset)
        snprintf(to->text, sizeof to->text, "(offset %llu, time %lld)",
                 (unsigned long long)offset, (long long)ns);
    else
        snprintf(to->text, sizeof to->text, "(time %lld)", (long long)ns);
    return to->text;
}

// Gives the place of the event, for the end of a message.
#define place_of(s)                                                                              \
    write_place(&(struct place){""}, (s)->c->is_legacy || is_before_1_5(s), (s)->e->offset,      \
                (s)->ns)

static const char *name_of(const struct subject *s)
{
    return tp_v1_type_names[s->e->type];
}

static int refuse_g(struct subject *s, uint64_t g, const char *words)
{
    return REFUSE(s, "g %llu %s %s", (unsigned long long)g, words, place_of(s));
}

static int refuse_p(struct subject *s, const char *words)
{
    return REFUSE(s, "p %lld %s %s", (long long)s->e->p, words, place_of(s));
}

static int refuse(struct subject *s, const char *words)
{
    return REFUSE(s, "%s %s", words, place_of(s));
}

// Checks that the event's goroutine runs on the event's P.
static int check_running(struct subject *s, bool may_be_0)
{
    unsigned long long g = s->e->g;
    if (s->g->state != G_RUNNING)
        return REFUSE(s, "g %llu is not running while %s %s", g, name_of(s), place_of(s));
    if (s->p->g != s->e->g)
        return REFUSE(s, "p %lld is not running g %llu while %s %s", (long long)s->e->p, g,
                      name_of(s), place_of(s));
    if (!may_be_0 && g == 0)
        return REFUSE(s, "g 0 did %s %s", name_of(s), place_of(s));
    return 0;
}

// PS AND THE COLLECTOR

static int start_p(struct subject *s)
{
    if (s->p->is_running)
        return refuse_p(s, "is running before start");
    s->p->is_running = true;
    return 0;
}

static int stop_p(struct subject *s)
{
    if (!s->p->is_running)
        return refuse_p(s, "is not running before stop");
    if (s->p->g != 0)
        return REFUSE(s, "p %lld is running a goroutine %llu during stop %s", (long long)s->e->p,
                      (unsigned long long)s->p->g, place_of(s));
    s->p->is_running = false;
    return 0;
}

// Begins (`now` is true) or ends an activity that may go on at most once at a time; *goes_on says
// whether it goes on. Refuses the event with `words` if *goes_on equals `now` already.
static int change_once(struct subject *s, bool *goes_on, bool now, const char *words)
{
    if (*goes_on == now)
        return refuse(s, words);
    *goes_on = now;
    return 0;
}

static bool *gc_of(struct subject *s)
{
    return is_before_1_5(s) ? &s->p->in_gc : &s->c->in_gc;
}

static int begin_gc(struct subject *s)
{
    int rc = change_once(s, gc_of(s), true, "previous GC is not ended before a new one");
    if (rc == 0 && !is_before_1_5(s))
        s->e->p = TP_V1_GC_P;
    return rc;
}

static bool *stw_of(struct subject *s)
{
    return s->c->minor < FIRST_WITH_GLOBAL_STW ? &s->p->in_stw : &s->c->in_stw;
}

static int begin_stw(struct subject *s)
{
    return change_once(s, stw_of(s), true,
                       is_before_1_5(s) ? "previous scanning is not ended before a new one"
                                        : "previous STW is not ended before a new one");
}

static int end_stw(struct subject *s)
{
    return change_once(s, stw_of(s), false,
                       is_before_1_5(s) ? "bogus scanning end" : "bogus STW end");
}

static int begin_assist(struct subject *s)
{
    if (s->g->assists)
        return refuse(s, "previous mark assist is not ended before a new one");
    s->g->assists = s->g->exists = true;
    return 0;
}

// Ends an assist, which may have begun before the trace.
static int end_assist(struct subject *s)
{
    s->g->assists = false;
    s->g->exists = true;
    return 0;
}

// GOROUTINES

// Returns the goroutine that the event names, adding it if needed. That may move the event's own
// goroutine, so s->g is set again.
static struct tp_v1_g *other_g(struct subject *s)
{
    struct tp_v1_g *g = g_of(s->c, tp_v1_arg(s->e, Named, g));
    if (tp_unlikely(s->c->last_g == NULL))
        s->g = g_of_event(s->c, s->e->g);
    return g;
}

static int create(struct subject *s)
{
    int rc = check_running(s, true);
    if (rc != 0)
        return rc;
    struct tp_v1_g *g = other_g(s);
    if (g == NULL)
        return no_memory(s->err);
    if (g->exists)
        return refuse_g(s, tp_v1_arg(s->e, GoCreate, g), "already exists");
    g->exists = true;
    g->is_new = s->c->is_past_init;
    g->state = G_RUNNABLE;
    return 0;
}

static int announce_waiting(struct subject *s)
{
    if (s->g->state != G_RUNNABLE)
        return refuse_g(s, s->e->g, s->e->type == TP_V1_GoWaiting
                                        ? "is not runnable before EvGoWaiting"
                                        : "is not runnable before EvGoInSyscall");
    s->g->state = G_WAITING;
    s->g->exists = true;
    return 0;
}

static int start(struct subject *s)
{
    if (s->g->state != G_RUNNABLE)
        return refuse_g(s, s->e->g, "is not runnable before start");
    if (s->p->g != 0)
        return REFUSE(s, "p %lld is already running g %llu while start g %llu %s",
                      (long long)s->e->p, (unsigned long long)s->p->g,
                      (unsigned long long)s->e->g, place_of(s));
    s->g->state = G_RUNNING;
    s->g->waits_for_network = false;
    s->g->exists = true;
    s->p->g = s->e->g;
    return 0;
}

static int leave(struct subject *s, uint8_t state)
{
    int rc = check_running(s, false);
    if (rc != 0)
        return rc;
    s->g->state = state;
    s->g->waits_for_network = s->e->type == TP_V1_GoBlockNet;
    s->p->g = 0;
    return 0;
}

static int unblock(struct subject *s)
{
    if (s->g->state != G_RUNNING)
        return refuse_g(s, s->e->g, "is not running while unpark");
    if (s->e->p != TP_V1_TIMER_P && s->p->g != s->e->g)
        return REFUSE(s, "p %lld is not running g %llu while unpark %s", (long long)s->e->p,
                      (unsigned long long)s->e->g, place_of(s));
    struct tp_v1_g *g = other_g(s);
    if (g == NULL)
        return no_memory(s->err);
    if (g->state != G_WAITING)
        return refuse_g(s, tp_v1_arg(s->e, GoUnblock, g), "is not waiting before unpark");
    bool is_timers = (is_before_1_5(s) || s->c->is_legacy) && s->e->p == TP_V1_TIMER_P;
    // Go 1.23 makes no exception for timers.
    if (g->waits_for_network && !is_timers)
        s->e->p = TP_V1_NETPOLL_P;
    g->state = G_RUNNABLE;
    g->waits_for_network = false;
    return 0;
}

static int exit_syscall(struct subject *s)
{
    if (s->g->state != G_WAITING)
        return refuse_g(s, s->e->g, "is not waiting during syscall exit");
    s->g->state = G_RUNNABLE;
    s->g->waits_for_network = false;
    return 0;
}

// TASKS AND REGIONS

struct tp_v1_task *tp_v1_check_task(const struct tp_v1_check *c, uint64_t id)
{
    return tp_slab_get(&c->tasks, id, ITEM_BYTES(c, task));
}

void tp_v1_check_end_task(struct tp_v1_check *c, uint64_t id)
{
    tp_slab_remove(&c->tasks, id, ITEM_BYTES(c, task));
}

static int begin_task(struct subject *s)
{
    uint64_t id = tp_v1_arg(s->e, UserTaskCreate, task);
    if (tp_v1_check_task(s->c, id) != NULL)
        return REFUSE(s, "task id conflicts (id:%llu)", (unsigned long long)id);
    struct tp_v1_task *task = tp_slab_get_or_add(&s->c->tasks, id, ITEM_BYTES(s->c, task));
    if (task == NULL)
        return no_memory(s->err);
    *task = (struct tp_v1_task){.name = tp_v1_arg(s->e, UserTaskCreate, name_string),
                                 .parent = tp_v1_arg(s->e, UserTaskCreate, parent_task)};
    s->c->has_grown = true;
    return 0;
}

static int end_task(struct subject *s)
{
    struct tp_v1_check *c = s->c;
    uint64_t id = tp_v1_arg(s->e, UserTaskEnd, task);
    const struct tp_v1_task *task = tp_v1_check_task(c, id);
    const struct tp_ended_task *ended = tp_ended_task(&c->ended_tasks, id);
    c->is_stray = task == NULL && ended != NULL;
    if (c->is_strict)
        return 0;
    if (c->is_stray)
        tp_v1_note_mistake(c, s->e, s->ns, TP_DOUBT_TASK_ENDED_TWICE,
                           (struct tp_nest_key){id, ended->name}, s->e->stack);
    else if (!tp_ended_tasks_add(&c->ended_tasks, id, task != NULL ? task->name : 0))
        return no_memory(s->err);
    return 0;
}

static struct tp_nest_key region_key(const struct subject *s)
{
    return (struct tp_nest_key){tp_v1_arg(s->e, UserRegion, task),
                                tp_v1_arg(s->e, UserRegion, name_string)};
}

static int begin_region(struct subject *s)
{
    struct tp_v1_check *c = s->c;
    if (!tp_nests_push(&c->regions, &s->g->region, s->e->g, region_key(s), ITEM_BYTES(c, region)))
        return no_memory(s->err);
    c->has_grown = true;
    tp_v1_check_region(c, s->g->region)->stack = s->e->stack;
    return 0;
}

// Handles an end that ends no region of the goroutine that is known.
static int end_none(struct subject *s)
{
    s->c->is_stray = s->g->is_new && !s->c->is_strict;
    if (s->c->is_stray || s->g->region != 0)
        tp_v1_note_mistake(s->c, s->e, s->ns, TP_DOUBT_REGION_NOT_OPEN, region_key(s),
                           s->e->stack);
    return 0;
}

static int end_region(struct subject *s)
{
    struct tp_v1_check *c = s->c;
    const struct tp_v1_region *top = tp_v1_check_region(c, s->g->region);
    c->is_stray = false;
    c->ended_region = s->g->region;
    if (top == NULL)
        return end_none(s);
    if (tp_nest_key_equals(top->nest.key, region_key(s)))
        return 0;
    if (c->is_strict)
        return REFUSE(s, "misuse of region in goroutine %llu", (unsigned long long)s->e->g);
    c->ended_region =
        tp_nests_find(&c->regions, s->g->region, s->e->g, region_key(s), ITEM_BYTES(c, region));
    if (c->ended_region == 0)
        return end_none(s);
    tp_v1_note_mistake(c, s->e, s->ns, TP_DOUBT_REGION_OVERLAP, region_key(s), s->e->stack);
    return 0;
}

static int end_g(struct subject *s)
{
    int rc = leave(s, G_DEAD);
    for (uint32_t at = s->g->region; rc == 0 && at != 0 && s->c->doubts != NULL;) {
        const struct tp_v1_region *open = tp_v1_check_region(s->c, at);
        tp_v1_note_mistake(s->c, s->e, s->ns, TP_DOUBT_REGION_NOT_ENDED, open->nest.key,
                           open->stack);
        at = open->nest.next;
    }
    return rc;
}

static int check_region(struct subject *s)
{
    switch (tp_v1_arg(s->e, UserRegion, mode)) {
    case 0: return begin_region(s);
    case 1: return end_region(s);
    default: return REFUSE(s, "invalid user region mode");
    }
}

static int check_type(struct subject *s)
{
    switch (s->e->type) {
    case TP_V1_ProcStart: return start_p(s);
    case TP_V1_ProcStop: return stop_p(s);
    case TP_V1_GCStart: return begin_gc(s);
    case TP_V1_GCDone: return change_once(s, gc_of(s), false, "bogus GC end");
    case TP_V1_STWStart: return begin_stw(s);
    case TP_V1_STWDone: return end_stw(s);
    case TP_V1_GCSweepStart:
        return change_once(s, &s->p->sweeps, true,
                           "previous sweeping is not ended before a new one");
    case TP_V1_GCSweepDone: return change_once(s, &s->p->sweeps, false, "bogus sweeping end");
    case TP_V1_GCMarkAssistStart: return begin_assist(s);
    case TP_V1_GCMarkAssistDone: return end_assist(s);
    case TP_V1_GoWaiting:
    case TP_V1_GoInSyscall: return announce_waiting(s);
    case TP_V1_GoCreate: return create(s);
    case TP_V1_GoStart:
    case TP_V1_GoStartLabel: return start(s);
    case TP_V1_GoEnd: return end_g(s);
    case TP_V1_GoStop: return leave(s, G_DEAD);
    case TP_V1_GoSched:
    case TP_V1_GoPreempt: return leave(s, G_RUNNABLE);
    case TP_V1_GoSysBlock:
    case TP_V1_GoSleep:
    case TP_V1_GoBlock:
    case TP_V1_GoBlockSend ... TP_V1_GoBlockNet:
    case TP_V1_GoBlockGC: return leave(s, G_WAITING);
    case TP_V1_GoUnblock: return unblock(s);
    case TP_V1_GoSysCall: return check_running(s, false);
    case TP_V1_GoSysExit: return exit_syscall(s);
    case TP_V1_Gomaxprocs: s->c->is_past_init = true; return 0;
    case TP_V1_UserTaskCreate: return begin_task(s);
    case TP_V1_UserTaskEnd: return end_task(s);
    case TP_V1_UserRegion: return check_region(s);
    default: return 0;
    }
}

// BEFORE GO 1.5

static int announce_other_waiting(struct subject *s)
{
    struct tp_v1_g *g = other_g(s);
    if (g == NULL)
        return no_memory(s->err);
    if (g->state != G_RUNNABLE)
        return refuse_g(s, tp_v1_arg(s->e, GoWaiting, g), "is not runnable before EvGoWaiting");
    // Afterwards the parser of that time writes back the event's own goroutine, from a copy that it
    // made before this change.
    if (g != s->g)
        g->state = G_WAITING;
    return 0;
}

static int exit_runnable(struct subject *s)
{
    if (s->g->state != G_RUNNABLE)
        return refuse_g(s, s->e->g, "is not runnable during syscall exit");
    return 0;
}

// Handles the types of events that differ before Go 1.5. The parser of the time crashes when
// goroutine 0 leaves a P; here that is an error.
static int check_type_before_1_5(struct subject *s)
{
    // Any event shows that its goroutine exists.
    s->g->exists = true;
    switch (s->e->type) {
    case TP_V1_GoWaiting: return announce_other_waiting(s);
    case TP_V1_GoInSyscall: return 0;
    case TP_V1_GoSysCall: return check_running(s, true);
    case TP_V1_GoSysBlock: return leave(s, G_RUNNABLE);
    case TP_V1_GoSysExit: return exit_runnable(s);
    default: return check_type(s);
    }
}

static TP_NOINLINE int check_older(struct subject s)
{
    int rc = is_before_1_5(&s) ? check_type_before_1_5(&s) : check_type(&s);
    // The parser of that time takes any event, even a CPU sample, as proof that its goroutine
    // exists.
    if (rc == 0 && s.c->is_legacy)
        s.g->exists = true;
    return rc;
}

static TP_NOINLINE bool is_full(struct tp_v1_check *c, uint64_t max_bytes)
{
    c->has_grown = false;
    size_t bytes = tp_slab_bytes(&c->gs, ITEM_BYTES(c, g)) +
                   tp_slab_bytes(&c->ps, ITEM_BYTES(c, p)) +
                   tp_slab_bytes(&c->tasks, ITEM_BYTES(c, task));
    bytes += c->ended.count * sizeof *c->ended.entries;
    bytes += tp_map_bytes(&c->regions.by_hash) + tp_ended_tasks_bytes(&c->ended_tasks);
    return bytes + c->regions.slots.list.count * ITEM_BYTES(c, region) > max_bytes;
}

int tp_v1_check(struct tp_v1_check *c, struct tp_v1_ordered *e, int64_t ns, uint64_t max_bytes,
                struct tp_error *err)
{
    struct tp_v1_g *g = g_of_event(c, e->g);
    struct tp_v1_p *p = p_of(c, (uint64_t)e->p);
    if (g == NULL || p == NULL)
        return no_memory(err);
    if (tp_unlikely(c->has_grown) && is_full(c, max_bytes))
        return tp_fail(err, TP_E_LIMIT, "goroutines, tasks and regions do not fit into %llu "
                       "bytes", (unsigned long long)max_bytes);
    struct subject s = {.c = c, .e = e, .g = g, .p = p, .ns = ns, .err = err};
    return is_before_1_5(&s) || c->is_legacy ? check_older(s) : check_type(&s);
}
