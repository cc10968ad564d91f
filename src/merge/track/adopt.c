// Joins a speculative tracker to the tracker that has followed all events before the speculation.
//
// The speculative tracker has deferred, as operations, the events whose effect it could not know. Here
// the adopting tracker replays these events, in order. They are above all:
// - all events of a goroutine that lived before the speculation, until the goroutine is settled: it first
//   ends a run other than by preemption;
// - ends of tasks, regions and ranges that began before the speculation;
// - ends of waits whose waker left a wait of its own before the waker was settled: the waker's wait may
//   limit its blame.
// After the replay, the records of the speculative tracker are joined to those of the adopting tracker.
#include "merge/track/view.h"

// DEFERRING

static void put_op(struct tp_tracker *t, const struct tp_event *e, enum tp_track_op_kind kind,
                   const struct tp_track_view *view)
{
    if (t->deferred == NULL)
        return; // lacks_memory
    struct tp_track_op op = {
        .event = *e,
        .left_ns = {TP_NEVER_NS, TP_NEVER_NS},
        .stopped_ns = tp_track_stopped_ns(t, e->time_ns),
        .kind = (uint8_t)kind};
    if (view != NULL) {
        TP_TRACK_PUT(t, &t->deferred->views, *view);
        op.view = t->deferred->views.count;
    }
    const struct tp_track_g *waker = e->type == TP_EV_GoUnblock ? tp_track_find_g(t, e->g) : NULL;
    for (unsigned rule = 0; rule < TP_BLAMES && waker != NULL; rule++)
        op.left_ns[rule] = waker->left_ns[rule];
    TP_TRACK_PUT(t, &t->deferred->ops, op);
}

void tp_track_defer_event(struct tp_tracker *t, const struct tp_event *e)
{
    put_op(t, e, TP_TRACK_OP_EVENT, NULL);
}

void tp_track_defer_stop(struct tp_tracker *t, const struct tp_event *e)
{
    put_op(t, e, TP_TRACK_OP_STOP, NULL);
}

static struct tp_track_first_leg first_leg_of(const struct tp_tracker *t, uint32_t number)
{
    return number != 0 && t->deferred != NULL ? t->deferred->first_legs.items[number - 1]
                                          : (struct tp_track_first_leg){.end_ns = 0};
}

void tp_track_defer_first_leg(struct tp_tracker *t, struct tp_track_g *g, int64_t end_ns,
                              uint32_t stack)
{
    const struct tp_track_first_leg leg = {end_ns, stack};
    if (t->deferred == NULL)
        return; // lacks_memory
    TP_TRACK_PUT(t, &t->deferred->first_legs, leg);
    g->first_leg = t->deferred->first_legs.count;
}

void tp_track_defer_event_of(struct tp_tracker *t, const struct tp_event *e,
                             const struct tp_track_g *g)
{
    if (g == NULL || tp_track_is_unsettled(g)) {
        tp_track_defer_event(t, e);
        return;
    }
    const struct tp_track_view view = {.mark = tp_track_mark_of(t, g, e->time_ns),
                                       .legs = g->legs,
                                       .first_leg = first_leg_of(t, g->first_leg),
                                       .was_before = g->was_before,
                                       .has_task = g->has_task};
    put_op(t, e, TP_TRACK_OP_EVENT, &view);
}

void tp_track_defer_wake(struct tp_tracker *t, const struct tp_event *e,
                         const struct tp_track_g *g)
{
    put_op(t, e, TP_TRACK_OP_WAKE, &(struct tp_track_view){.g = *g});
}

void tp_track_defer_leg(struct tp_tracker *t, const struct tp_event *e,
                        const struct tp_track_legs *legs, uint32_t first_leg,
                        uint64_t task_ns, uint32_t name)
{
    const struct tp_track_view view = {.legs = *legs,
                                       .first_leg = first_leg_of(t, first_leg),
                                       .was_before = true,
                                       .task = {.task_ns = task_ns, .name = name}};
    put_op(t, e, TP_TRACK_OP_LEG, &view);
}

// Settles a goroutine that has ended a run: from now on the speculative tracker follows the goroutine
// itself.
static void settle(struct tp_tracker *t, struct tp_track_g *g, const struct tp_event *e,
                   enum tp_state to, const struct tp_track_reason *reason)
{
    uint32_t stack = tp_track_stack(t, e->args[tp_event_shapes[e->type].stack_arg - 1]);
    bool waits = to == TP_STATE_WAITING;
    g->now = (struct tp_track_state){.who = g->life,
                                     .stack = stack,
                                     .reason = reason != NULL ? reason->ref : TP_STRING_EMPTY,
                                     .wait = reason != NULL ? reason->wait : 0,
                                     .marks = TP_SPAN_IS_UNNAMED,
                                     .state = (uint8_t)to};
    g->since_ns = e->time_ns;
    g->legs = (struct tp_track_legs){.since_ns = waits ? e->time_ns : TP_LEG_BEFORE,
                                     .stack = waits ? stack : TP_LEG_NO_STACK};
}

void tp_track_defer_change(struct tp_tracker *t, struct tp_facts *f, const struct tp_event *e,
                           struct tp_track_g *g)
{
    const struct tp_event_shape *shape = &tp_event_shapes[e->type];
    enum tp_state from = tp_event_state_from(e), to = tp_event_state_to(e);
    const struct tp_track_view view = {.g = *g};
    if (tp_track_is_unsettled(g))
        put_op(t, e, TP_TRACK_OP_EVENT, NULL);
    else
        put_op(t, e, TP_TRACK_OP_END, &view);
    if (from == TP_STATE_WAITING)
        g->unknown_left_ns = e->time_ns;
    // Notes for the curve of mutator utilisation are given out at once, not deferred, so that all of them
    // stay in order.
    tp_track_note_exec(t, f, e, g, from, to);
    if (to == TP_STATE_NOT_EXIST)
        tp_track_gc_note(t, f, e, g, TP_GC_NOTE_ENDED);
    const struct tp_track_reason *reason =
        shape->reason_arg != 0 ? tp_track_reason(t, e->args[shape->reason_arg - 1]) : NULL;
    // A preemption does not settle the goroutine: the preempted run may be noted only at the end of the
    // goroutine's next run, whose stack tells more, so the adopting tracker must replay that end, too.
    bool was_preempted = tp_track_is_preemption(reason);
    if (to == TP_STATE_NOT_EXIST)
        tp_track_remove_g(t, g);
    else if (from == TP_STATE_RUNNING && shape->stack_arg != 0 && !was_preempted)
        settle(t, g, e, to, reason);
}

// REPLAYING

int64_t tp_track_waker_left_ns(struct tp_tracker *t, int64_t waker, enum tp_blame rule)
{
    if (t->replayed->left_ns[rule] != TP_NEVER_NS)
        return t->replayed->left_ns[rule];
    const struct tp_track_g *g = tp_track_find_g(t, waker);
    return g != NULL ? g->left_ns[rule] : TP_NEVER_NS;
}

struct adoption {
    struct tp_tracker *into;
    struct tp_tracker *from;
    struct tp_facts *facts;       // of `into`
    struct tp_facts *facts_ahead; // of `from`, with its numbers of lives
    uint32_t life_base;
};

static uint32_t life_of(const struct adoption *a, uint32_t life)
{
    return life != 0 ? life + a->life_base : 0;
}

// Turns a mark of the speculative tracker into a mark of the adopting tracker, with the life number and
// the clocks of that tracker. `g`: the goroutine's record in the adopting tracker, before the speculative
// record is joined to it; NULL: there is none, because the goroutine is new.
static void rebase(const struct adoption *a, struct tp_track_mark *mark, const struct tp_track_g *g)
{
    mark->stopped_ns += a->into->stops.ns;
    if (mark->life == 0)
        return;
    mark->life = g != NULL ? g->life : life_of(a, mark->life);
    if (g != NULL)
        tp_class_clock_add(&mark->clock, &g->clock);
}

// Pushes the open regions of a goroutine of the speculative tracker onto those of `g`, its record in the
// adopting tracker; the innermost comes last. `innermost`: slot of the innermost region in the
// speculative tracker. is_new: the goroutine began during the speculation.
static void push_regions(struct adoption *a, struct tp_track_g *g, uint32_t innermost, bool is_new)
{
    struct tp_track_region *items = a->from->regions.items;
    uint32_t at = innermost;
    while (at != 0 && items[at].nest.next != 0)
        at = items[at].nest.next;
    for (; at != 0; at = items[at].nest.inner) {
        if (!TP_NESTS_PUSH(&a->into->regions, &g->region, (uint64_t)g->id,
                           items[at].nest.key)) {
            a->into->lacks_memory = true;
            return;
        }
        struct tp_track_region *to = &a->into->regions.items[g->region];
        to->since_ns = items[at].since_ns;
        to->name = items[at].name;
        to->is_carried = false;
        to->mark = items[at].mark;
        rebase(a, &to->mark, is_new ? NULL : g);
    }
}

// Makes this leg the longest of `into`, if it is longer than the longest so far.
static void take_leg(struct tp_track_legs *into, uint64_t ns, uint32_t stack)
{
    if (ns <= into->longest_ns)
        return;
    into->longest_ns = ns;
    into->longest_stack = stack;
}

// Takes the leg that was open when the goroutine was settled, if that leg has ended since. `into` has the
// beginning of the leg and, if known, its stack; `first` has the rest.
static void take_first_leg(struct tp_track_legs *into, const struct tp_track_first_leg *first)
{
    if (first->end_ns != 0)
        take_leg(into, (uint64_t)first->end_ns - (uint64_t)into->since_ns,
                 into->stack != TP_LEG_NO_STACK ? into->stack : first->stack);
}

struct tp_track_legs tp_track_legs_of(const struct tp_track_view *view, const struct tp_track_g *g)
{
    if (!view->was_before || view->has_task || g == NULL)
        return view->legs;
    struct tp_track_legs legs = g->legs;
    take_first_leg(&legs, &view->first_leg);
    take_leg(&legs, view->legs.longest_ns, view->legs.longest_stack);
    return legs;
}

static void join_legs(const struct adoption *a, struct tp_track_legs *into,
                      const struct tp_track_g *from)
{
    const struct tp_track_first_leg first = first_leg_of(a->from, from->first_leg);
    if (from->has_task) {
        *into = from->legs;
        return;
    }
    take_first_leg(into, &first);
    take_leg(into, from->legs.longest_ns, from->legs.longest_stack);
    if (from->legs.since_ns != TP_LEG_BEFORE) {
        into->since_ns = from->legs.since_ns;
        into->stack = from->legs.stack;
    } else if (into->stack == TP_LEG_NO_STACK) {
        into->stack = from->legs.stack;
    }
}

// Joins what the stacks of both show of the function that the start function wraps. Called before the names
// are joined. The result is as if one tracker had seen all: it looks at stacks until the name is settled,
// and then only at those of a wrapper that has shown nothing yet.
static void join_wrapped(struct tp_track_g *g, const struct tp_track_g *from, unsigned *ret_watch)
{
    bool is_settled = g->name_rank == TP_NAME_SETTLED;
    unsigned seeks = g->watch & TP_WATCH_WRAPPED;
    if (!is_settled)
        seeks = from->watch & TP_WATCH_WRAPPED;
    if (g->wrapped == 0 &&
        (is_settled ? seeks != 0 : (from->watch & TP_WATCH_LATE_WRAPPED) == 0))
        g->wrapped = from->wrapped;
    *ret_watch = g->wrapped == 0 ? seeks : 0;
}

static void join_name(struct adoption *a, struct tp_track_g *g, const struct tp_track_g *from)
{
    if (from->name_rank >= g->name_rank)
        return;
    g->name_rank = from->name_rank;
    g->function = from->function;
    if (g->name_rank == TP_NAME_SETTLED)
        tp_track_settle_name(a->into, a->facts, g);
}

// The facts of the speculative tracker call the goroutine by the life number of `from`. Adds to them what
// this number stands for: the goroutine's name, if that is final, else (alias) its life number in the
// adopting tracker. has_ended: the facts of the adopting tracker have the goroutine's end, and sums get
// them first, so the name is final.
static void put_alias(struct adoption *a, struct tp_track_g *g, const struct tp_track_g *from,
                      bool has_ended)
{
    bool is_named = has_ended || (g->now.marks & TP_SPAN_IS_UNNAMED) == 0;
    const struct tp_track_life life = {.g = g->id,
                                       .number = from->life,
                                       .name = g->function,
                                       .alias = is_named ? 0 : g->life,
                                       .has_unnamed = true};
    if (!from->has_unnamed)
        return;
    g->has_unnamed = g->has_unnamed || !is_named;
    TP_TRACK_PUT(a->into, &a->facts_ahead->lives, life);
}

// Joins `from`, the record of a settled goroutine in the speculative tracker, to `g`, its record in the
// adopting tracker. All deferred events of the goroutine have been replayed; with has_ended, only its end
// has not.
static void join_g(struct adoption *a, struct tp_track_g *g, const struct tp_track_g *from,
                   bool has_ended)
{
    unsigned watch;
    join_wrapped(g, from, &watch);
    join_name(a, g, from);
    put_alias(a, g, from, has_ended);
    push_regions(a, g, from->region, false);
    unsigned unnamed = g->now.marks & TP_SPAN_IS_UNNAMED;
    g->now = from->now;
    g->now.who = unnamed != 0 ? g->life : g->function;
    g->now.marks = (uint8_t)unnamed;
    g->since_ns = from->since_ns;
    tp_class_clock_add(&g->clock, &from->clock);
    for (unsigned rule = 0; rule < TP_BLAMES; rule++) {
        if (from->left_ns[rule] != TP_NEVER_NS)
            g->left_ns[rule] = from->left_ns[rule];
    }
    if (from->stop_ns != TP_NEVER_NS)
        g->stop_ns = from->stop_ns;
    join_legs(a, &g->legs, from);
    g->watch = (uint8_t)((from->watch & ~(unsigned)(TP_WATCH_WRAPPED | TP_WATCH_LATE_WRAPPED)) | watch);
    g->preempted_ns = from->preempted_ns;
    g->preempted_begin_ns = from->preempted_begin_ns;
    g->preempted_stack = from->preempted_stack;
    g->is_woken = from->is_woken;
}

static void replay_event(struct adoption *a, const struct tp_event *e,
                         const struct tp_track_view *view)
{
    struct tp_tracker *t = a->into;
    if (view != NULL && e->type == TP_EV_UserTaskEnd)
        tp_track_end_task(t, a->facts, e, view);
    else if (view != NULL)
        tp_track_end_region(t, a->facts, e, view);
    else
        tp_track_event(t, a->facts, e);
}

static void replay_leg(struct adoption *a, const struct tp_event *e,
                       const struct tp_track_view *view)
{
    struct tp_track_legs legs = tp_track_legs_of(view, tp_track_find_g(a->into, e->g));
    tp_track_put_leg(a->into, a->facts, &legs, view->task.task_ns, view->task.name);
}

// Gives out who ended a wait. `g`: record of the goroutine that waited, in the speculative tracker, as it
// was when the wait ended.
static void replay_wake(struct adoption *a, const struct tp_event *e, const struct tp_track_g *g)
{
    int64_t left_ns =
        tp_track_waker_left_ns(a->into, e->g, tp_track_blame_of(g->now.wait));
    uint32_t stack = tp_track_stack(a->into, tp_arg(e, GoUnblock, stack));
    TP_TRACK_PUT(a->into, &a->facts->wakes, tp_track_wake_of(g, e->time_ns, left_ns, stack));
}

static void replay(struct adoption *a, const struct tp_track_op *op)
{
    struct tp_tracker *t = a->into;
    const struct tp_track_view *view = op->view != 0 ? &a->from->deferred->views.items[op->view - 1] : NULL;
    struct tp_track_g *g;
    t->replayed = op;
    if (!tp_track_make_room(a->facts, 1)) {
        t->lacks_memory = true;
        return;
    }
    switch ((enum tp_track_op_kind)op->kind) {
    case TP_TRACK_OP_EVENT: replay_event(a, &op->event, view); break;
    case TP_TRACK_OP_WAKE: replay_wake(a, &op->event, &view->g); break;
    case TP_TRACK_OP_LEG: replay_leg(a, &op->event, view); break;
    case TP_TRACK_OP_END:
        g = tp_track_find_g(t, view->g.id);
        if (g != NULL)
            join_g(a, g, &view->g, true);
        tp_track_event(t, a->facts, &op->event);
        break;
    case TP_TRACK_OP_STOP:
        g = tp_track_find_g(t, op->event.g);
        if (g != NULL)
            g->stop_ns = op->event.time_ns;
        break;
    }
}

// JOINING

static void take_tasks(struct adoption *a)
{
    for (uint32_t i = 1; i <= a->from->tasks.count; i++) {
        const struct tp_track_task *from = &a->from->tasks.items[i];
        if (!from->is_open || from->was_before)
            continue;
        struct tp_track_task *to = TP_SLAB_GET_OR_ADD(&a->into->tasks, from->id);
        if (to == NULL) {
            a->into->lacks_memory = true;
            return;
        }
        *to = *from;
        to->older = to->newer = 0;
        tp_track_touch(a->into, &a->into->touched_tasks, (uint32_t)(to - a->into->tasks.items));
        const struct tp_track_g *g = from->mark.life != 0 ? tp_track_find_g(a->from, from->mark.g) : NULL;
        bool was_before = g != NULL && g->was_before && g->life == from->mark.life;
        rebase(a, &to->mark, was_before ? tp_track_find_g(a->into, from->mark.g) : NULL);
    }
}

static void take_ranges(struct adoption *a)
{
    for (unsigned kind = 0; kind < TP_TRACK_RANGE_COUNT; kind++) {
        for (uint32_t i = 1; i <= a->from->ranges[kind].count; i++) {
            const struct tp_track_open_range *from = &a->from->ranges[kind].items[i];
            struct tp_track_open_range *to =
                from->is_open ? TP_SLAB_GET_OR_ADD(&a->into->ranges[kind], from->id) : NULL;
            a->into->lacks_memory = a->into->lacks_memory || (from->is_open && to == NULL);
            if (to == NULL)
                continue;
            *to = *from;
            tp_track_touch(a->into, &a->into->touched_ranges[kind],
                           (uint32_t)(to - a->into->ranges[kind].items));
        }
    }
}

// Joins the clocks of stops. The world was not stopped at the cut (tp_tracker_can_adopt).
static void take_stops(struct adoption *a)
{
    const struct tp_track_stops *from = &a->from->stops;
    a->into->stops = (struct tp_track_stops){a->into->stops.ns + from->ns, from->since_ns, from->g};
}

static void take_procs(struct adoption *a)
{
    for (uint32_t i = 1; i <= a->from->procs.count; i++) {
        struct tp_track_proc *to = TP_SLAB_GET(&a->into->procs, a->from->procs.items[i].id);
        if (to != NULL)
            to->state = a->from->procs.items[i].state;
    }
}

static void take_new(struct adoption *a, const struct tp_track_g *from)
{
    struct tp_track_g *g = tp_track_add_g(a->into, from->id);
    if (g == NULL)
        return;
    a->into->life_count--; // it has a number already
    *g = *from;
    g->life = life_of(a, from->life);
    if ((g->now.marks & TP_SPAN_IS_UNNAMED) != 0)
        g->now.who = g->life;
    g->task = 0;
    g->region = 0;
    push_regions(a, g, from->region, true);
    g->waits = 0;
    for (uint32_t at = from->waits; at != 0; at = a->from->waits.items[at].next) {
        if (!TP_SLOTS_PUSH(&a->into->waits, &g->waits)) {
            a->into->lacks_memory = true;
            return;
        }
        a->into->waits.items[g->waits].is_carried = false;
        a->into->waits.items[g->waits].wait = a->from->waits.items[at].wait;
    }
}

static void take_gs(struct adoption *a)
{
    for (uint32_t i = 1; i <= a->from->gs.count && !a->into->lacks_memory; i++) {
        const struct tp_track_g *from = &a->from->gs.items[i];
        if (!from->is_live)
            continue;
        struct tp_track_g *g = from->was_before ? tp_track_find_g(a->into, from->id) : NULL;
        if (!from->was_before)
            take_new(a, from);
        else if (g != NULL && !tp_track_is_unsettled(from))
            join_g(a, g, from, false);
        if (g != NULL)
            g->role = from->role;
    }
}

void tp_tracker_adopt(struct tp_tracker *t, struct tp_tracker *ahead, struct tp_facts *facts,
                      struct tp_facts *facts_ahead)
{
    struct adoption a = {t, ahead, facts, facts_ahead, t->life_count};
    facts_ahead->life_base = t->life_count;
    t->life_count += ahead->life_count;
    facts->first_life = t->life_count + 1;
    facts_ahead->first_life = ahead->life_count + 1;
    for (uint32_t i = 0; i < ahead->deferred->ops.count && !t->lacks_memory; i++)
        replay(&a, &ahead->deferred->ops.items[i]);
    t->replayed = NULL;
    take_tasks(&a);
    take_gs(&a);
    take_ranges(&a);
    take_stops(&a); // after all marks, which take the clock of the cut
    take_procs(&a);
    t->last_ns = ahead->last_ns;
}
