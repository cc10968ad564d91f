// Keeps the lives of goroutines: their records, names, labels, legs, runs, and ends.
#include "merge/track/track.h"

// With how many of the last items that wait for the goroutine's name a further one is joined, if it is equal.
// A goroutine without a name has hardly any stacks, and so few different items.
#define LATE_LOOKS 16

// RECORDS

TP_NOINLINE struct tp_track_g *tp_track_seek_g(struct tp_tracker *t, int64_t id)
{
    uint32_t slot = tp_map_get(&t->gs.by_id, (uint64_t)id);
    if (slot == TP_MAP_NONE)
        return NULL;
    *tp_track_recent_of(t, id) = (struct tp_track_recent){id, slot};
    tp_track_touch(t, &t->touched_gs, slot);
    return &t->gs.items[slot];
}

struct tp_track_g *tp_track_add_g(struct tp_tracker *t, int64_t id)
{
    // Numbers of lives stay below 2^31.
    uint32_t slot = t->life_count < INT32_MAX ? TP_SLAB_ADD(&t->gs, id) : 0;
    if (slot == 0) {
        t->lacks_memory = true;
        return NULL;
    }
    tp_track_touch(t, &t->touched_gs, slot);
    struct tp_track_g *g = &t->gs.items[slot];
    *g = (struct tp_track_g){
        .id = id,
        .waker = TP_NO_GOROUTINE,
        .unknown_left_ns = TP_NEVER_NS,
        .now = {.who = ++t->life_count,
                .reason = TP_STRING_EMPTY,
                .marks = TP_SPAN_IS_UNNAMED | TP_SPAN_BEFORE_RUN | TP_SPAN_OF_TASKS,
                .state = TP_STATE_UNDETERMINED},
        .function = TP_STRING_EMPTY,
        .life = t->life_count,
        .left_ns = {TP_NEVER_NS, TP_NEVER_NS},
        .stop_ns = TP_NEVER_NS,
        .legs = {.longest_ns = TP_LEG_LONGEST, .stack = TP_LEG_NO_STACK},
        .name_rank = TP_NAME_UNKNOWN,
        .is_live = true,
        .was_before = t->is_speculative,
    };
    if (g->was_before)
        g->now.marks |= TP_SPAN_IS_UNSETTLED;
    // Assume all roles until a note tells the true ones. TP_GC_NOTE_BEGUN clears the roles of a goroutine
    // that is created.
    g->role = TP_GC_ROLE_ANY;
    *tp_track_recent_of(t, id) = (struct tp_track_recent){id, slot};
    return g;
}

void tp_track_remove_g(struct tp_tracker *t, struct tp_track_g *g)
{
    g->is_live = false;
    struct tp_track_recent *recent = tp_track_recent_of(t, g->id);
    if (recent->id == g->id)
        recent->id ^= 1; // empties the item: the id belongs to another one
    TP_SLAB_REMOVE(&t->gs, g->id);
}

// NAMES

static struct tp_root root_of(struct tp_tracker *t, uint32_t stack)
{
    uint32_t idx = stack - 1;
    if (idx >= t->roots.count)
        return tp_root_of_stack(t->tables, idx);
    if (tp_unlikely(t->roots.items[idx].kind == TP_ROOT_UNREAD))
        t->roots.items[idx] = tp_root_of_stack(t->tables, idx);
    return t->roots.items[idx];
}

static void put_life(struct tp_tracker *t, struct tp_facts *f, const struct tp_track_g *g,
                     struct tp_track_life life)
{
    life.g = g->id;
    life.number = g->life;
    life.name = g->function;
    life.has_unnamed = g->has_unnamed;
    TP_TRACK_PUT(t, &f->lives, life);
}

void tp_track_settle_name(struct tp_tracker *t, struct tp_facts *f, struct tp_track_g *g)
{
    if (g->has_unnamed)
        put_life(t, f, g, (struct tp_track_life){.has_ended = false});
    g->has_unnamed = false;
    g->now.marks &= (uint8_t)~TP_SPAN_IS_UNNAMED;
    g->now.who = g->function;
    tp_track_put_late(t, f, g);
}

static void see_wrapped(const struct tp_tracker *t, struct tp_track_g *g, struct tp_root root,
                        uint32_t stack)
{
    if (tp_track_wants(t, TP_TRACK_LABELS) || !root.shows_wrapped || g->wrapped != 0)
        return;
    bool is_late = g->name_rank == TP_NAME_SETTLED && (g->watch & TP_WATCH_WRAPPED) == 0;
    g->wrapped = stack;
    g->watch &= (uint8_t)~TP_WATCH_WRAPPED;
    if (is_late)
        g->watch |= TP_WATCH_LATE_WRAPPED;
}

TP_NOINLINE void tp_track_see_wrapped(struct tp_tracker *t, struct tp_track_g *g, uint32_t stack)
{
    if (stack != 0 && stack != TP_REF_LOST_STACK)
        see_wrapped(t, g, root_of(t, stack), stack);
}

TP_NOINLINE void tp_track_name(struct tp_tracker *t, struct tp_facts *f, struct tp_track_g *g,
                               uint32_t stack, enum tp_stack_origin origin)
{
    struct tp_root root = root_of(t, stack);
    see_wrapped(t, g, root, stack);
    enum tp_name_rank rank = tp_name_rank_of((enum tp_root_kind)root.kind, origin);
    // Remember a stack only if it came from a call: it can give no better name when it is seen again. A
    // stack of another origin may come from a call later, and then gives a better name.
    g->named_by = origin == TP_STACK_OF_CALL ? stack : 0;
    if (rank >= g->name_rank)
        return;
    g->name_rank = (uint8_t)rank;
    g->function = root.name;
    if (!tp_track_wants(t, TP_TRACK_LABELS) && rank == TP_NAME_SETTLED && root.is_wrapper &&
        g->wrapped == 0)
        g->watch |= TP_WATCH_WRAPPED;
    // For a goroutine that lived before the speculation, do not settle the name: the adopting tracker may
    // know an equally good name, which was seen first.
    if (rank == TP_NAME_SETTLED && !g->was_before)
        tp_track_settle_name(t, f, g);
}

void tp_track_name_from_c(struct tp_tracker *t, struct tp_facts *f, struct tp_track_g *g)
{
    if (g->name_rank == TP_NAME_SETTLED)
        return;
    g->name_rank = TP_NAME_SETTLED;
    g->function = TP_REF_FROM_C;
    tp_track_settle_name(t, f, g);
}

// LABELS

static void keep_late(struct tp_tracker *t, struct tp_track_g *g,
                      const struct tp_track_labelled *l)
{
    uint32_t at = g->late;
    for (unsigned i = 0; at != 0 && i < LATE_LOOKS; i++, at = t->late.items[at].next) {
        if (tp_track_labelled_join(&t->late.items[at].of, l))
            return;
    }
    if (!TP_SLOTS_PUSH(&t->late, &g->late)) {
        t->lacks_memory = true;
        return;
    }
    t->late.items[g->late].is_carried = false;
    t->late.items[g->late].of = *l;
}

void tp_track_put_labelled(struct tp_tracker *t, struct tp_facts *f, struct tp_track_g *g,
                           struct tp_track_labelled l)
{
    if (!tp_track_wants(t, TP_TRACK_LABELS))
        return;
    const struct tp_track_task *task =
        g != NULL ? TP_SLAB_GET(&t->tasks, tp_track_task_of(t, g)) : NULL;
    if (task != NULL)
        l.task = task->name;
    if (g != NULL && g->region != 0)
        l.region = t->regions.items[g->region].name;
    if (g != NULL && (g->now.marks & TP_SPAN_IS_UNNAMED) != 0) {
        keep_late(t, g, &l);
        return;
    }
    if (g != NULL)
        l.function = g->function;
    TP_TRACK_PUT(t, &f->labelled, l);
}

void tp_track_put_late(struct tp_tracker *t, struct tp_facts *f, struct tp_track_g *g)
{
    while (tp_track_wants(t, TP_TRACK_LABELS) && g->late != 0) {
        struct tp_track_labelled l = t->late.items[g->late].of;
        l.function = g->function;
        TP_TRACK_PUT(t, &f->labelled, l);
        TP_SLOTS_POP(&t->late, &g->late);
    }
}

// LEGS

TP_NOINLINE void tp_track_note_leg(struct tp_tracker *t, struct tp_track_g *g, int64_t end_ns,
                                   uint32_t stack)
{
    if (g->legs.stack != TP_LEG_NO_STACK)
        stack = g->legs.stack;
    if (g->legs.since_ns == TP_LEG_BEFORE) {
        tp_track_defer_first_leg(t, g, end_ns, stack);
        return;
    }
    g->legs.longest_ns = (uint64_t)end_ns - (uint64_t)g->legs.since_ns;
    g->legs.longest_stack = stack;
}

void tp_track_forget_legs(struct tp_track_g *g, int64_t time_ns)
{
    g->has_task = true;
    g->legs = (struct tp_track_legs){.since_ns = time_ns, .stack = TP_LEG_NO_STACK};
}

// RUNS

static void put_run(struct tp_tracker *t, struct tp_facts *f, enum tp_track_note_kind kind,
                    uint32_t stack, uint32_t other, int64_t begin_ns, uint64_t ns)
{
    const struct tp_track_note note = {.ns = ns,
                                       .begin_ns = begin_ns,
                                       .stack = stack,
                                       .other = other,
                                       .kind = (uint8_t)kind};
    TP_TRACK_PUT(t, &f->notes, note);
}

void tp_track_end_watch(struct tp_tracker *t, struct tp_facts *f, struct tp_track_g *g,
                        uint32_t stack)
{
    if ((g->watch & TP_WATCH_PREEMPTED) == 0)
        return;
    g->watch &= (uint8_t)~TP_WATCH_PREEMPTED;
    bool has_stack = stack != 0 && stack != TP_REF_LOST_STACK;
    put_run(t, f, TP_TRACK_PREEMPTED_PAIR, g->preempted_stack,
            has_stack ? stack : g->preempted_stack, g->preempted_begin_ns, g->preempted_ns);
}

static void preempt(struct tp_tracker *t, struct tp_facts *f, struct tp_track_g *g, uint32_t stack,
                    int64_t begin_ns, uint64_t ns)
{
    switch (t->preemption_stack) {
    case TP_PREEMPTION_SHOWS_ENTERED:
        put_run(t, f, TP_TRACK_PREEMPTED_RUN, stack, 0, begin_ns, ns);
        return;
    case TP_PREEMPTION_SHOWS_RUNNER:
        put_run(t, f, TP_TRACK_PREEMPTED_PAIR, stack, stack, begin_ns, ns);
        return;
    case TP_PREEMPTION_LACKS_RUNNER:
        g->watch |= TP_WATCH_PREEMPTED;
        g->preempted_stack = stack;
        g->preempted_begin_ns = begin_ns;
        g->preempted_ns = ns;
        return;
    }
}

TP_NOINLINE void tp_track_end_run(struct tp_tracker *t, struct tp_facts *f, struct tp_track_g *g,
                                  int64_t time_ns, uint32_t stack, bool was_preempted)
{
    tp_track_end_watch(t, f, g, stack);
    if (g->watch & TP_WATCH_WRAPPED)
        tp_track_see_wrapped(t, g, stack);
    if (g->watch & TP_WATCH_IDLE_RUN)
        put_run(t, f, TP_TRACK_IDLE_RUN, 0, 0, g->since_ns, (uint64_t)(time_ns - g->since_ns));
    int64_t since_ns = g->stop_ns > g->since_ns ? g->stop_ns : g->since_ns;
    g->watch &= (uint8_t)~TP_WATCH_IDLE_RUN;
    if ((g->now.marks & TP_SPAN_IS_ANNOUNCED) != 0 || time_ns - since_ns < TP_LONG_RUN_NS)
        return;
    if (was_preempted)
        preempt(t, f, g, stack, since_ns, (uint64_t)(time_ns - since_ns));
    else
        put_run(t, f, TP_TRACK_LONG_RUN, stack, 0, since_ns, (uint64_t)(time_ns - since_ns));
}

void tp_track_note_late(struct tp_tracker *t, struct tp_facts *f, const struct tp_track_g *g,
                        uint64_t ns)
{
    if (g->is_woken && ns >= TP_LATE_NS)
        put_run(t, f, TP_TRACK_LATE, g->now.stack, 0, g->since_ns, ns);
}

// ENDS

static void put_waits(struct tp_tracker *t, struct tp_facts *f, struct tp_track_g *g)
{
    while (g->waits != 0) {
        const struct tp_track_wait w = t->waits.items[g->waits].wait;
        TP_TRACK_PUT(t, &f->waits, w);
        tp_track_put_labelled(t, f, g, (struct tp_track_labelled){.ns = w.ns,
                                                                  .count = 1,
                                                                  .stack = w.stack,
                                                                  .state = w.state,
                                                                  .wait = w.wait});
        TP_SLOTS_POP(&t->waits, &g->waits);
    }
}

static void put_end(struct tp_tracker *t, struct tp_facts *f, const struct tp_track_g *g,
                    int64_t end_ns, bool is_cut)
{
    struct tp_track_life life = {.begin_ns = g->begin_ns,
                                 .end_ns = end_ns,
                                 .has_ended = true,
                                 .wrapped = tp_track_wants(t, TP_TRACK_LABELS) ? 0 : g->wrapped,
                                 .is_known = g->is_known,
                                 .is_cut = is_cut || !g->is_new};
    for (unsigned i = 0; i < TP_CLASS_COUNTED; i++)
        life.spent_ns[i] = g->clock.ns[i];
    put_life(t, f, g, life);
    tp_track_put_lasting(t, f, (struct tp_interval){.begin_ns = g->is_known ? g->begin_ns : end_ns,
                                                    .end_ns = end_ns,
                                                    .goroutine = g->id,
                                                    .proc = -1,
                                                    .thread = -1,
                                                    .name = g->function,
                                                    .stack = g->creation_stack,
                                                    .kind = TP_INTERVAL_LIFE,
                                                    .had_begun = !g->is_new,
                                                    .goes_on = is_cut});
}

void tp_track_end_life(struct tp_tracker *t, struct tp_facts *f, struct tp_track_g *g,
                       int64_t end_ns, bool is_cut)
{
    put_waits(t, f, g);
    tp_track_put_late(t, f, g);
    tp_track_close_regions(t, f, g, end_ns, is_cut);
    if ((g->now.marks & TP_SPAN_OF_TASKS) == 0)
        put_end(t, f, g, end_ns, is_cut);
    tp_track_end_watch(t, f, g, 0);
    tp_track_leave_tasks(t, g);
    tp_track_remove_g(t, g);
}

// Gives out the goroutine's last state and its life, both cut by the end of the trace.
static void cut(struct tp_tracker *t, struct tp_facts *f, struct tp_track_g *g)
{
    struct tp_state_span s = tp_track_span_of(t, g, t->last_ns);
    s.goes_on = true;
    if (g->now.state != TP_STATE_UNDETERMINED)
        tp_track_put_cut(t, f, g, &s);
    const struct tp_track_note left = {.of_ns = (uint64_t)g->begin_ns,
                                       .stack = g->creation_stack,
                                       .other = g->now.stack,
                                       .kind = TP_TRACK_LEFT};
    if (g->is_new && g->now.state == TP_STATE_WAITING && tp_track_wants(t, TP_TRACK_EVIDENCE))
        TP_TRACK_PUT(t, &f->notes, left);
    tp_track_end_life(t, f, g, t->last_ns, true);
}

bool tp_tracker_rest(struct tp_tracker *t, struct tp_facts *f, uint32_t most)
{
    if (t->lacks_memory)
        return false;
    if (f->first_life == 0)
        f->first_life = t->life_count + 1;
    if (!t->has_rest) {
        tp_track_cut_tasks(t, f);
        tp_track_cut_ranges(t, f);
        tp_track_cut_procs(t, f);
        t->has_rest = true;
    }
    for (uint32_t i = 0; i < most && t->rest_slot < t->gs.count; i++) {
        struct tp_track_g *g = &t->gs.items[++t->rest_slot];
        if (g->is_live)
            cut(t, f, g);
    }
    return t->rest_slot < t->gs.count;
}
