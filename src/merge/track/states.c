// Follows changes of the states of goroutines.
#include <stddef.h>

#include "merge/track/track.h"

// The parts of an event that changes a goroutine's state. `stack`: the stack of the event. has_own_stack:
// that stack is the goroutine's own.
struct change {
    const struct tp_event *event;
    enum tp_state from, to;
    const struct tp_track_reason *reason; // NULL: it has none
    uint32_t stack;
    bool has_own_stack;
    bool is_unblock;
};

// Whether the state that ends began and ends by events in their places, so that its length is known.
TP_INLINE bool is_in_place(const struct tp_track_g *g, const struct change *c)
{
    return tp_likely(!c->event->is_displaced && (g->now.marks & TP_SPAN_GIVEN_UP) == 0);
}

// LEGS

// Begins a leg without noting the one that lasts.
static void restart_leg(struct tp_track_g *g, int64_t time_ns)
{
    g->legs.since_ns = time_ns;
    g->legs.stack = TP_LEG_NO_STACK;
}

TP_INLINE void change_leg(struct tp_tracker *t, struct tp_track_g *g, enum tp_state from,
                          enum tp_state to, int64_t time_ns, uint32_t stack)
{
    if (to == TP_STATE_WAITING) {
        tp_track_end_leg(t, g, time_ns, stack);
        g->legs.stack = stack;
    } else if (from == TP_STATE_WAITING) {
        tp_track_end_leg(t, g, time_ns, 0);
    } else if (from == TP_STATE_RUNNING && to == TP_STATE_RUNNABLE &&
               g->legs.stack == TP_LEG_NO_STACK) {
        g->legs.stack = stack;
    }
}

// Begins the legs of a goroutine that is created or announced. The legs of an announced goroutine are not
// followed until its first task event.
static void begin_legs(struct tp_track_g *g, const struct change *c)
{
    g->legs.since_ns = c->event->time_ns;
    if (!g->is_new)
        return;
    g->legs.longest_ns = 0;
    g->creation_stack = c->stack;
    if (c->to == TP_STATE_WAITING)
        g->legs.stack = c->stack;
}

// SPANS

struct tp_state_span tp_track_span_of(const struct tp_tracker *t, const struct tp_track_g *g,
                                      int64_t end_ns)
{
    bool had_begun = (g->now.marks & TP_SPAN_IS_ANNOUNCED) != 0;
    unsigned marks = g->now.marks | (g->has_stack_of_others ? TP_SPAN_STACK_OF_OTHERS : 0);
    return (struct tp_state_span){.begin_ns = had_begun ? g->begin_ns : g->since_ns,
                                  .end_ns = end_ns,
                                  .goroutine = g->id,
                                  .waker = g->waker,
                                  .task = tp_track_task_of(t, g),
                                  .other_ns = had_begun ? g->since_ns : TP_NEVER_NS,
                                  .function = g->function,
                                  .reason = g->now.reason,
                                  .stack = g->now.stack,
                                  .proc = g->proc,
                                  .thread = g->thread,
                                  .waker_stack = g->is_woken_by && g->now.state == TP_STATE_RUNNABLE
                                                     ? g->now.stack
                                                     : 0,
                                  .life = g->life,
                                  .state = g->now.state,
                                  .wait = g->now.wait,
                                  .marks = (uint8_t)marks,
                                  .had_begun = had_begun,
                                  .was_woken = g->is_woken_by && g->now.state == TP_STATE_RUNNING};
}

void tp_track_put_cut(struct tp_tracker *t, struct tp_facts *f, struct tp_track_g *g,
                      const struct tp_state_span *s)
{
    g->has_unnamed = g->has_unnamed || (g->now.marks & TP_SPAN_IS_UNNAMED) != 0;
    if ((s->wait & TP_WAIT_FOREVER) == 0)
        g->clock.ns[tp_track_class(&g->now)] += (uint64_t)(s->end_ns - s->begin_ns);
    if (tp_track_wants(t, TP_TRACK_SPANS))
        TP_TRACK_PUT(t, &f->spans, *s);
    TP_TRACK_PUT(t, &f->cuts, *s);
}

void tp_track_give_up(struct tp_tracker *t, struct tp_facts *f, struct tp_track_g *g)
{
    if ((g->now.marks & TP_SPAN_IS_ANNOUNCED) == 0)
        return;
    struct tp_state_span s = tp_track_span_of(t, g, g->since_ns);
    s.goes_on = true;
    s.marks |= TP_SPAN_GIVEN_UP;
    tp_track_put_cut(t, f, g, &s);
}

// Keeps the state that ends, of a goroutine that has not run yet. Such a wait counts only if the
// goroutine never runs.
static void keep_wait(struct tp_tracker *t, struct tp_track_g *g, int64_t end_ns)
{
    if (!TP_SLOTS_PUSH(&t->waits, &g->waits)) {
        t->lacks_memory = true;
        return;
    }
    t->waits.items[g->waits].is_carried = false;
    t->waits.items[g->waits].wait =
        (struct tp_track_wait){.ns = (uint64_t)(end_ns - g->since_ns),
                               .stack = g->now.stack,
                               .state = g->now.state,
                               .wait = g->now.wait};
}

TP_INLINE struct tp_track_span *next_span(struct tp_facts *f, enum tp_state state)
{
    switch (state) {
    case TP_STATE_RUNNING: return &f->runs.items[f->runs.count++];
    case TP_STATE_RUNNABLE: return &f->runnables.items[f->runnables.count++];
    case TP_STATE_SYSCALL: return &f->syscalls.items[f->syscalls.count++];
    default: return &f->waitings.items[f->waitings.count++];
    }
}

// Gives out, in the short form, the span of the state that the goroutine leaves.
TP_INLINE struct tp_track_span *put_short(struct tp_facts *f, struct tp_track_g *g,
                                          enum tp_state from, enum tp_state to, int64_t end_ns)
{
    struct tp_track_span *s = next_span(f, from);
    uint64_t ns = (uint64_t)(end_ns - g->since_ns);
    s->end_ns = end_ns;
    s->ns = ns;
    s->of = g->now;
    s->of.next = (uint8_t)to;
    return s;
}

// WHO ENDED A WAIT

// Gives out who ended the goroutine's wait, or defers that. `s`: the span of the wait.
TP_INLINE void wake(struct tp_tracker *t, struct tp_facts *f, struct tp_track_g *g,
                    const struct tp_event *e, uint32_t stack, struct tp_track_span *s)
{
    int64_t end_ns = e->time_ns, left_ns = TP_NEVER_NS;
    enum tp_blame rule = tp_track_blame_of(g->now.wait);
    g->left_ns[TP_BLAME_OTHERS] = end_ns;
    g->left_ns[rule] = end_ns;
    if ((g->now.wait & TP_WAIT_FOR_OTHERS) == 0)
        return;
    s->of.marks |= TP_SPAN_HAS_WAKER;
    if (tp_unlikely(t->replayed != NULL)) {
        left_ns = tp_track_waker_left_ns(t, e->g, rule);
    } else {
        const struct tp_track_g *waker = tp_track_find_g(t, e->g);
        if (tp_likely(waker != NULL)) {
            left_ns = waker->left_ns[rule];
            if (tp_unlikely(waker->was_before && left_ns == TP_NEVER_NS &&
                            waker->unknown_left_ns > g->since_ns)) {
                tp_track_defer_wake(t, e, g);
                return;
            }
        }
    }
    f->wakes.items[f->wakes.count++] = tp_track_wake_of(g, end_ns, left_ns, stack);
}

// ANY CHANGE

// Gives out, as a full struct tp_state_span, the span of the state that the goroutine leaves.
static void put_full(struct tp_tracker *t, struct tp_facts *f, struct tp_track_g *g,
                     const struct change *c)
{
    struct tp_state_span s = tp_track_span_of(t, g, c->event->time_ns);
    s.next = (uint8_t)c->to;
    if (c->from == TP_STATE_WAITING && c->to == TP_STATE_RUNNABLE) {
        s.waker = c->event->g;
        s.waker_stack = c->stack;
    }
    if (s.had_begun)
        tp_track_put_cut(t, f, g, &s);
    else
        TP_TRACK_PUT(t, &f->spans, s);
}

// Follows a change whose `from` is not the state in which the tracker has the goroutine.
static void leave_other(struct tp_tracker *t, struct tp_facts *f, struct tp_track_g *g,
                        const struct change *c)
{
    if (c->from == TP_STATE_RUNNING && tp_track_wants(t, TP_TRACK_EVIDENCE))
        tp_track_end_watch(t, f, g, c->stack);
    tp_track_give_up(t, f, g);
    tp_track_put_move(t, f, g->now.state, c->to, c->event->time_ns);
}

// Follows a change that ends a state of which the trace does not show the length, because its beginning
// or its end is displaced.
static void leave_displaced(struct tp_tracker *t, struct tp_facts *f, struct tp_track_g *g,
                            const struct change *c)
{
    struct tp_state_span s = tp_track_span_of(t, g, c->event->time_ns);
    s.goes_on = true;
    s.marks |= TP_SPAN_GIVEN_UP;
    if (!s.had_begun)
        tp_track_put_cut(t, f, g, &s);
    leave_other(t, f, g, c);
}

static void note_end(struct tp_tracker *t, struct tp_facts *f, struct tp_track_g *g,
                     const struct change *c, struct tp_track_span *s)
{
    int64_t end_ns = c->event->time_ns;
    if (c->from == TP_STATE_RUNNING)
        tp_track_end_run(t, f, g, end_ns, c->stack, tp_track_is_preemption(c->reason));
    else if (c->from == TP_STATE_RUNNABLE && s != NULL)
        tp_track_note_late(t, f, g, s->ns);
    else if (c->is_unblock && s != NULL)
        wake(t, f, g, c->event, c->stack, s);
    else if (c->is_unblock)
        g->left_ns[TP_BLAME_OTHERS] = g->left_ns[tp_track_blame_of(g->now.wait)] = end_ns;
}

static void put_labelled(struct tp_tracker *t, struct tp_facts *f, struct tp_track_g *g,
                         int64_t end_ns)
{
    bool runs = g->now.state == TP_STATE_RUNNING; // without a stack, as in profiles without labels
    tp_track_put_labelled(t, f, g, (struct tp_track_labelled){.ns = (uint64_t)(end_ns - g->since_ns),
                                                              .count = 1,
                                                              .stack = runs ? 0 : g->now.stack,
                                                              .state = g->now.state,
                                                              .wait = g->now.wait});
}

static void leave(struct tp_tracker *t, struct tp_facts *f, struct tp_track_g *g,
                  const struct change *c)
{
    if (g->now.state != c->from) {
        leave_other(t, f, g, c);
        return;
    }
    if (!is_in_place(g, c)) {
        leave_displaced(t, f, g, c);
        return;
    }
    bool is_announced = (g->now.marks & TP_SPAN_IS_ANNOUNCED) != 0;
    struct tp_track_span *s = NULL;
    if (is_announced || tp_track_wants(t, TP_TRACK_SPANS))
        put_full(t, f, g, c);
    if (!is_announced)
        s = put_short(f, g, c->from, c->to, c->event->time_ns);
    g->has_unnamed = g->has_unnamed || (g->now.marks & TP_SPAN_IS_UNNAMED) != 0;
    if (c->from == TP_STATE_WAITING && (g->now.wait & TP_WAIT_FOREVER) != 0)
        return;
    if (s != NULL)
        g->clock.ns[tp_track_class(&g->now)] += s->ns;
    if ((g->now.marks & TP_SPAN_BEFORE_RUN) != 0 && c->to != TP_STATE_RUNNING)
        keep_wait(t, g, c->event->time_ns);
    if (tp_track_wants(t, TP_TRACK_LABELS) &&
        (c->from == TP_STATE_RUNNING ? !is_announced : (g->now.marks & TP_SPAN_BEFORE_RUN) == 0))
        put_labelled(t, f, g, c->event->time_ns);
    if (tp_track_wants(t, TP_TRACK_EVIDENCE))
        note_end(t, f, g, c, s);
}

static void run_first(struct tp_tracker *t, struct tp_track_g *g)
{
    g->now.marks &= (uint8_t)~TP_SPAN_BEFORE_RUN;
    while (g->waits != 0)
        TP_SLOTS_POP(&t->waits, &g->waits);
}

// Returns the thread of a goroutine whose state an event changes or tells, and its P; -1: none, or not
// known.
static int64_t place_of(const struct tp_event *e, int32_t *ret_proc)
{
    int64_t thread = e->m;
    if (e->type == TP_EV_GoStatus || e->type == TP_EV_GoStatusStack)
        thread = (int64_t)tp_arg(e, GoStatus, m);
    *ret_proc = thread == e->m && e->p >= 0 && e->p <= INT32_MAX ? (int32_t)e->p : -1;
    return thread;
}

// Notes what only spans tell of the state that begins.
static void enter_span(struct tp_track_g *g, const struct change *c)
{
    bool is_run_of_woken = c->to == TP_STATE_RUNNING && c->from == TP_STATE_RUNNABLE &&
                           g->is_woken_by && g->waker != TP_NO_GOROUTINE;
    bool is_woken = c->to == TP_STATE_RUNNABLE &&
                    (c->from == TP_STATE_NOT_EXIST || c->from == TP_STATE_WAITING);
    g->waker = is_woken ? c->event->g : TP_NO_GOROUTINE;
    g->is_woken_by = is_woken || is_run_of_woken;
    g->has_stack_of_others = !c->has_own_stack;
    g->thread = place_of(c->event, &g->proc);
}

static void enter(struct tp_tracker *t, struct tp_track_g *g, const struct change *c)
{
    bool is_made = c->from == TP_STATE_NOT_EXIST;
    g->since_ns = c->event->time_ns;
    g->now.stack = c->stack;
    g->now.reason = c->reason != NULL ? c->reason->ref : TP_STRING_EMPTY;
    g->now.wait = c->reason != NULL ? c->reason->wait : 0;
    g->now.marks &= (uint8_t) ~(TP_SPAN_IS_ANNOUNCED | TP_SPAN_GIVEN_UP);
    if (tp_unlikely(c->event->is_displaced))
        g->now.marks |= TP_SPAN_GIVEN_UP;
    g->now.state = (uint8_t)c->to;
    g->is_woken = is_made || c->is_unblock;
    g->watch &= (uint8_t)~TP_WATCH_IDLE_RUN;
    if (c->to == TP_STATE_RUNNING)
        run_first(t, g);
    if (tp_track_wants(t, TP_TRACK_SPANS))
        enter_span(g, c);
}

static enum tp_stack_origin origin_of(const struct change *c)
{
    if (c->from == TP_STATE_NOT_EXIST)
        return TP_STACK_OF_CREATION;
    return c->event->type == TP_EV_GoStatusStack || tp_track_is_preemption(c->reason) ? TP_STACK_OF_OTHERS
                                                                     : TP_STACK_OF_CALL;
}

static void name(struct tp_tracker *t, struct tp_facts *f, struct tp_track_g *g,
                 const struct change *c, uint32_t own_stack)
{
    if (own_stack == 0 || own_stack == g->named_by || own_stack == TP_REF_LOST_STACK)
        return;
    if (g->name_rank != TP_NAME_SETTLED)
        tp_track_name(t, f, g, own_stack, origin_of(c));
    else if (g->was_before || (g->watch & TP_WATCH_WRAPPED) != 0)
        tp_track_see_wrapped(t, g, own_stack);
}

// Follows a change that does not begin the goroutine's life. If the change ends the life, the caller then
// calls end().
static void change(struct tp_tracker *t, struct tp_facts *f, struct tp_track_g *g,
                   const struct change *c)
{
    g->now.marks &= (uint8_t)~TP_SPAN_OF_TASKS;
    if (tp_track_wants(t, TP_TRACK_EVIDENCE) && is_in_place(g, c))
        change_leg(t, g, c->from, c->to, c->event->time_ns, c->stack);
    else
        restart_leg(g, c->event->time_ns);
    if (c->has_own_stack)
        name(t, f, g, c, c->stack);
    leave(t, f, g, c);
    enter(t, g, c);
    tp_track_note_exec(t, f, c->event, g, c->from, c->to);
}

// BEGIN AND END

// In this release goroutines made for threads of C code are created without a start function, and then
// have the status of a system call. Later ones are created in a system call.
#define MINOR_OF_STATUS_FOR_C 21

// Whether the runtime made the goroutine, whose life the change begins, for a thread of C code. `known`:
// the goroutine with the same id that still lives; NULL: none.
static bool is_made_for_c(const struct tp_tracker *t, const struct tp_track_g *known, const struct change *c)
{
    bool has_begun = known != NULL && known->is_new && known->name_rank == TP_NAME_UNKNOWN &&
                     known->now.state == TP_STATE_RUNNABLE && known->since_ns == known->first_ns;
    return c->to == TP_STATE_SYSCALL &&
           (c->from == TP_STATE_NOT_EXIST || (has_begun && t->tables->minor == MINOR_OF_STATUS_FOR_C));
}

// Takes the name of a goroutine from before the trace, if the trace has its start function. If it has none,
// and nothing of the trace is lost, a goroutine in a system call was made for C code.
static void name_from_before(struct tp_tracker *t, struct tp_facts *f, struct tp_track_g *g,
                             const struct change *c)
{
    uint64_t start = c->event->type == TP_EV_GoStatus ? tp_arg(c->event, GoStatus, start_stack) : 0;
    uint32_t stack = start != 0 ? tp_track_stack(t, start - 1) : 0;
    if (stack == 0)
        return;
    tp_track_name(t, f, g, stack, TP_STACK_OF_CREATION);
    if (t->tables->minor == MINOR_OF_STATUS_FOR_C && !t->tables->is_partial &&
        g->name_rank == TP_NAME_UNKNOWN && c->to == TP_STATE_SYSCALL)
        tp_track_name_from_c(t, f, g);
}

// Begins the life of a goroutine that is created or announced. If an older goroutine with the same id
// still lives, the life of the older one ends at its last change of state. NULL: out of memory, or the
// speculation is lost (has_lost).
static struct tp_track_g *begin(struct tp_tracker *t, struct tp_facts *f, int64_t id,
                                const struct change *c)
{
    struct tp_track_g *known = tp_track_find_g(t, id);
    // After its first generation, a sound trace has no status event of a goroutine that is not known
    // already, and creates no goroutine with the id of a living one.
    if (t->is_speculative && (known != NULL || c->from != TP_STATE_NOT_EXIST)) {
        t->has_lost = true;
        return NULL;
    }
    bool is_for_c = is_made_for_c(t, known, c);
    if (known != NULL && is_for_c)
        tp_track_name_from_c(t, f, known);
    if (known != NULL) {
        tp_track_put_move(t, f, known->now.state, TP_STATE_NOT_EXIST, c->event->time_ns);
        tp_track_give_up(t, f, known);
        tp_track_end_life(t, f, known, known->since_ns, true);
    }
    struct tp_track_g *g = tp_track_add_g(t, id);
    if (g == NULL)
        return NULL;
    g->is_known = true;
    g->was_before = false;
    g->now.marks &= (uint8_t) ~(TP_SPAN_OF_TASKS | TP_SPAN_IS_UNSETTLED);
    g->is_new = c->from == TP_STATE_NOT_EXIST;
    g->first_ns = g->begin_ns = c->event->time_ns;
    if (!g->is_new && t->sync_ns >= 0)
        g->begin_ns = t->sync_ns;
    // A waker is not to blame for a part of a wait that lies before the waker's creation.
    for (unsigned rule = 0; rule < TP_BLAMES && g->is_new; rule++)
        g->left_ns[rule] = c->event->time_ns;
    begin_legs(g, c);
    if (is_for_c)
        tp_track_name_from_c(t, f, g);
    return g;
}

// Follows a change that begins the life of a goroutine.
static void change_first(struct tp_tracker *t, struct tp_facts *f, int64_t id,
                         const struct change *c, uint32_t own_stack)
{
    struct tp_track_g *g = begin(t, f, id, c);
    if (g == NULL)
        return;
    name(t, f, g, c, own_stack);
    name_from_before(t, f, g, c);
    enter(t, g, c);
    if (g->is_new)
        tp_track_gc_note(t, f, c->event, g, TP_GC_NOTE_BEGUN);
    else
        g->now.marks |= TP_SPAN_IS_ANNOUNCED;
    tp_track_note_exec(t, f, c->event, g, c->from, c->to);
    tp_track_put_move(t, f, TP_STATE_NOT_EXIST, c->to, g->begin_ns);
}

static void end(struct tp_tracker *t, struct tp_facts *f, const struct tp_event *e,
                struct tp_track_g *g)
{
    if (!g->is_new || tp_gc_role_is_any(g->role))
        tp_track_gc_note(t, f, e, g, TP_GC_NOTE_ENDED);
    tp_track_end_life(t, f, g, e->time_ns, false);
}

TP_NOINLINE void tp_track_change(struct tp_tracker *t, struct tp_facts *f, const struct tp_event *e)
{
    const struct tp_event_shape *shape = &tp_event_shapes[e->type];
    struct change c = {
        .event = e, .from = tp_event_state_from(e), .to = tp_event_state_to(e)};
    if (c.from == c.to)
        return;
    int64_t id = tp_event_resource_id(e, shape);
    uint32_t own_stack = 0;
    if (shape->reason_arg != 0)
        c.reason = tp_track_reason(t, e->args[shape->reason_arg - 1]);
    if (shape->stack_arg != 0)
        c.stack = tp_track_any_stack(t, e->args[shape->stack_arg - 1]);
    if (shape->transition_stack_arg != 0)
        own_stack = tp_track_any_stack(t, e->args[shape->transition_stack_arg - 1]);
    c.has_own_stack = own_stack != 0 && c.from != TP_STATE_NOT_EXIST;
    c.is_unblock = e->type == TP_EV_GoUnblock;
    if (c.from == TP_STATE_NOT_EXIST || c.from == TP_STATE_UNDETERMINED) {
        change_first(t, f, id, &c, own_stack);
        return;
    }
    struct tp_track_g *g = tp_track_g_of(t, id);
    if (g == NULL)
        return;
    bool ends = c.to == TP_STATE_NOT_EXIST;
    if (tp_track_is_unsettled(g) || (ends && g->was_before)) {
        tp_track_defer_change(t, f, e, g);
        return;
    }
    if (e->type == TP_EV_GoDestroySyscall) // only those end so
        tp_track_name_from_c(t, f, g);
    change(t, f, g, &c);
    if (ends)
        end(t, f, e, g);
}

// USUAL CHANGES

// Takes a name from the goroutine's own stack, if there is one and the name is not settled, and looks for
// what the start function wraps.
static TP_NOINLINE void name_unnamed(struct tp_tracker *t, struct tp_facts *f,
                                     struct tp_track_g *g, uint32_t own_stack, bool was_preempted)
{
    if (own_stack == 0)
        return;
    if (g->name_rank != TP_NAME_SETTLED)
        tp_track_name(t, f, g, own_stack, was_preempted ? TP_STACK_OF_OTHERS : TP_STACK_OF_CALL);
    else if (g->wrapped == 0)
        tp_track_see_wrapped(t, g, own_stack);
}

// Whether a goroutine is in this state and has no mark other than TP_SPAN_IS_UNNAMED.
TP_INLINE bool is_usual(const struct tp_track_state *now, enum tp_state state)
{
    static_assert(offsetof(struct tp_track_state, state) == offsetof(struct tp_track_state, marks) + 1,
                  "one load reads both");
    return (((unsigned)now->marks | (unsigned)now->state << 8) & ~(unsigned)TP_SPAN_IS_UNNAMED) ==
           (unsigned)state << 8;
}

// Follows a change of state: fast if the goroutine is in the cache and is_usual holds for it, else by
// tp_track_change. The caller passes the shape of the event (merge/tables/event_shapes.def) as constants,
// so that the compiler specializes each case.
TP_INLINE void usual(struct tp_tracker *t, struct tp_facts *f, const struct tp_event *e, int64_t id,
                     enum tp_state from, enum tp_state to, uint64_t reason_id, uint64_t stack_id)
{
    struct tp_track_g *g = tp_track_find_g(t, id);
    bool is_unblock = from == TP_STATE_WAITING;
    if (tp_unlikely(g == NULL || !is_usual(&g->now, from) ||
                    (is_unblock && (g->now.wait & TP_WAIT_FOREVER) != 0))) {
        tp_track_change(t, f, e);
        return;
    }
    int64_t time_ns = e->time_ns;
    uint32_t stack = tp_track_stack(t, stack_id);
    bool has_reason = from == TP_STATE_RUNNING && to != TP_STATE_SYSCALL;
    const struct tp_track_reason *reason = has_reason ? tp_track_reason(t, reason_id) : NULL;
    bool was_preempted = tp_track_is_preemption(reason);
    change_leg(t, g, from, to, time_ns, stack);
    if (tp_unlikely(g->now.marks != 0)) {
        if (from == TP_STATE_RUNNING && tp_unlikely(stack != g->named_by))
            name_unnamed(t, f, g, stack, was_preempted);
        g->has_unnamed |= g->now.marks != 0;
    }
    struct tp_track_span *s = put_short(f, g, from, to, time_ns);
    g->clock.ns[tp_track_class_of(from, g->now.wait)] += s->ns;
    if (from == TP_STATE_RUNNING && tp_unlikely(s->ns >= TP_LONG_RUN_NS || g->watch != 0))
        tp_track_end_run(t, f, g, time_ns, stack, was_preempted);
    if (from == TP_STATE_RUNNABLE && tp_unlikely(s->ns >= TP_LATE_NS))
        tp_track_note_late(t, f, g, s->ns);
    if (is_unblock)
        wake(t, f, g, e, stack, s);
    g->now.stack = stack;
    g->now.reason = has_reason ? reason->ref : TP_STRING_EMPTY;
    g->now.wait = has_reason ? reason->wait : 0;
    g->now.state = (uint8_t)to;
    g->since_ns = time_ns;
    g->is_woken = is_unblock;
    tp_track_note_exec(t, f, e, g, from, to);
}

TP_NOINLINE void tp_track_usual(struct tp_tracker *t, struct tp_facts *f, const struct tp_event *e,
                                const struct tp_event *stop, const struct tp_event *first)
{
    for (; e < stop; e++) {
        f->event_counts[e->type]++;
        // A displaced event is of none of these types.
        switch (e->type | (unsigned)e->is_displaced << 8) {
        case TP_EV_GoStart:
            usual(t, f, e, (int64_t)tp_arg(e, GoStart, g), TP_STATE_RUNNABLE, TP_STATE_RUNNING, 0,
                  0);
            break;
        case TP_EV_GoStop:
            usual(t, f, e, e->g, TP_STATE_RUNNING, TP_STATE_RUNNABLE,
                  tp_arg(e, GoStop, reason_string), tp_arg(e, GoStop, stack));
            break;
        case TP_EV_GoBlock:
            usual(t, f, e, e->g, TP_STATE_RUNNING, TP_STATE_WAITING,
                  tp_arg(e, GoBlock, reason_string), tp_arg(e, GoBlock, stack));
            break;
        case TP_EV_GoUnblock:
            usual(t, f, e, (int64_t)tp_arg(e, GoUnblock, g), TP_STATE_WAITING, TP_STATE_RUNNABLE, 0,
                  tp_arg(e, GoUnblock, stack));
            break;
        case TP_EV_GoSyscallBegin:
            usual(t, f, e, e->g, TP_STATE_RUNNING, TP_STATE_SYSCALL, 0,
                  tp_arg(e, GoSyscallBegin, stack));
            break;
        case TP_EV_GoSyscallEnd:
            usual(t, f, e, e->g, TP_STATE_SYSCALL, TP_STATE_RUNNING, 0, 0);
            break;
        case TP_EV_GoSyscallEndBlocked:
            usual(t, f, e, e->g, TP_STATE_SYSCALL, TP_STATE_RUNNABLE, 0, 0);
            break;
        case TP_EV_HeapAlloc: TP_TRACK_PUT(t, &f->others, (uint32_t)(e - first)); break;
        case TP_EV_GCSweepBegin:
        case TP_EV_GCSweepEnd: tp_track_range_event(t, f, e); break;
        default: tp_track_other(t, f, e, (uint32_t)(e - first)); break;
        }
    }
}
