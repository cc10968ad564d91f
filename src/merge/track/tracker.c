#include "merge/track/tracker.h"

#include "base/alloc.h"
#include "base/digest.h"
#include "merge/tables/event_shape.h"
#include "merge/track/goroutine_name.h"

static int fail_for_memory(struct tp_error *err)
{
    return tp_fail(err, TP_E_MEMORY, "out of memory for the states of goroutines");
}

void tp_tracker_init(struct tp_tracker *t, uint64_t max_bytes)
{
    *t = (struct tp_tracker){.sync_ns = -1, .max_bytes = max_bytes};
}

void tp_tracker_fini(struct tp_tracker *t)
{
    TP_SLAB_FINI(&t->gs);
    TP_SLAB_FINI(&t->tasks);
    TP_NESTS_FINI(&t->regions);
    tp_free(t->current.items);
    tp_free(t->is_current.items);
    tp_tables_release(t->tables);
    *t = (struct tp_tracker){0};
}

uint64_t tp_tracker_bytes(const struct tp_tracker *t)
{
    return t->gs.capacity * sizeof *t->gs.items + tp_map_bytes(&t->gs.by_id) +
           t->tasks.capacity * sizeof *t->tasks.items + tp_map_bytes(&t->tasks.by_id) +
           t->regions.capacity * sizeof *t->regions.items + tp_map_bytes(&t->regions.by_hash) +
           t->current.capacity * sizeof *t->current.items + t->is_current.capacity +
           (t->tables != NULL ? tp_carried_states_bytes(t->tables->carried_states) : 0);
}

// GENERATIONS

// Goroutines that live, for each of which a new object has room for an entry, so that few are carried
// again for each new entry.
#define LIVES_PER_ENTRY 16
#define LEAST_ROOM 64

struct carrying {
    const struct tp_tables *from;
    struct tp_carried_states *to;
    bool does_renew;      // also what is carried already
    struct tp_map stacks; // of an old reference: number of the new one + 1
};

// Returns the reference to a copy of the stack; 0: out of memory or room.
static uint64_t copy_stack(struct carrying *c, struct tp_stack stack)
{
    struct tp_frame *frames = tp_alloc_array(stack.frame_count + 1u, sizeof *frames);
    uint64_t copy = 0;
    for (uint32_t i = 0; i < stack.frame_count && frames != NULL; i++)
        frames[i] = tp_stack_frame(&stack, i);
    if (frames != NULL)
        copy = tp_carried_states_put_stack(c->to, frames, stack.frame_count);
    tp_free(frames);
    return copy;
}

static bool is_to_carry(const struct carrying *c, uint64_t ref)
{
    return ref != 0 && ref != TP_REF_LOST_STACK && (c->does_renew || !(ref & TP_REF_CARRIED));
}

// Many goroutines wait in one place, so a stack is copied once.
static bool carry_stack(struct carrying *c, uint64_t *ref)
{
    if (!is_to_carry(c, *ref))
        return true;
    uint32_t known = tp_map_get(&c->stacks, *ref);
    if (known != TP_MAP_NONE) {
        *ref = TP_REF_CARRIED | (known - 1);
        return true;
    }
    const struct tp_state_span at = {.stack = *ref};
    uint64_t copy = copy_stack(c, tp_state_span_stack(&at, c->from));
    if (copy == 0 || !tp_map_put(&c->stacks, *ref, (uint32_t)copy + 1))
        return false;
    *ref = copy;
    return true;
}

static bool carry_text(struct carrying *c, uint64_t *ref, struct tp_text text)
{
    uint64_t copy = is_to_carry(c, *ref) ? tp_carried_states_put_text(c->to, text) : *ref;
    bool fits = copy != 0 || *ref == 0;
    *ref = fits ? copy : *ref;
    return fits;
}

static bool carry_g(struct carrying *c, struct tp_track_g *g)
{
    const struct tp_state_span s = {.function = g->function, .reason = g->reason};
    g->named_by = 0;
    return carry_text(c, &g->function, tp_state_span_function(&s, c->from)) &&
           carry_text(c, &g->reason, tp_state_span_reason(&s, c->from)) &&
           carry_stack(c, &g->stack) && carry_stack(c, &g->waker_stack);
}

// Carries what refers to the tables that end. False: there is no room, or no memory; some goroutines
// may have been carried, and each keeps what it refers to.
static bool carry_current(struct tp_tracker *t, struct carrying *c)
{
    bool fits = c->to != NULL;
    for (uint32_t i = 0; i < t->current.count && fits; i++) {
        struct tp_track_g *g = &t->gs.items[t->current.items[i]];
        fits = !g->is_live || carry_g(c, g);
    }
    return fits;
}

// Does the same into a new object, which then has all that is open. NULL: out of memory.
static struct tp_carried_states *renew(struct tp_tracker *t)
{
    struct carrying c = {.from = t->tables, .to = tp_carried_states_create(), .does_renew = true};
    bool fits = c.to != NULL;
    for (uint32_t i = 1; i <= t->gs.count && fits; i++)
        fits = !t->gs.items[i].is_live || carry_g(&c, &t->gs.items[i]);
    fits = fits && tp_carried_states_fix(c.to, t->gs.by_id.count / LIVES_PER_ENTRY + LEAST_ROOM);
    tp_map_fini(&c.stacks);
    if (fits)
        return c.to;
    tp_carried_states_release(c.to);
    return NULL;
}

// Makes the open states refer to the new tables.
static int use_tables(struct tp_tracker *t, struct tp_tables *tables, struct tp_error *err)
{
    struct tp_carried_states *old = t->tables != NULL ? t->tables->carried_states : NULL;
    struct carrying c = {.from = t->tables, .to = old};
    (void)tp_tables_take_missed();
    struct tp_carried_states *now =
        carry_current(t, &c) ? tp_carried_states_hold(old) : renew(t);
    tp_map_fini(&c.stacks);
    for (uint32_t i = 0; i < t->current.count; i++)
        t->is_current.items[t->current.items[i]] = false;
    t->current.count = 0;
    if (now == NULL)
        return fail_for_memory(err);
    if (tp_tables_take_missed() && tp_tables_stacks_failure(t->tables, err) != 0) {
        tp_carried_states_release(now);
        return err->code;
    }
    tp_carried_states_release(tables->carried_states);
    tables->carried_states = now;
    tp_tables_hold(tables);
    tp_tables_release(t->tables);
    t->tables = tables;
    return 0;
}

// Notes that the goroutine refers to the current tables. False: out of memory.
static bool list_current(struct tp_tracker *t, const struct tp_track_g *g)
{
    uint32_t slot = (uint32_t)(g - t->gs.items);
    while (t->is_current.count <= slot) {
        if (!TP_LIST_ADD(&t->is_current, false))
            return false;
    }
    if (t->is_current.items[slot])
        return true;
    t->is_current.items[slot] = true;
    return TP_LIST_ADD(&t->current, slot);
}

// TASKS AND REGIONS

static struct tp_track_g *g_of(struct tp_tracker *t, int64_t id)
{
    struct tp_track_g *g = TP_SLAB_GET_OR_ADD(&t->gs, id);
    if (g != NULL && !g->is_live)
        *g = (struct tp_track_g){
            .id = id, .waker = TP_NO_GOROUTINE, .name_rank = TP_NAME_UNKNOWN, .is_live = true};
    return g;
}

static uint64_t task_of(const struct tp_tracker *t, const struct tp_track_g *g)
{
    uint64_t task = g->region != 0 ? t->regions.items[g->region].nest.key.task : 0;
    if (g->region == 0 && g->task != 0)
        task = t->tasks.items[g->task].id;
    return task != 0 ? task : TP_NO_TASK; // 0: the background task
}

static void drop_task(struct tp_tracker *t, struct tp_track_task *task)
{
    if (task->older != 0)
        t->tasks.items[task->older].newer = task->newer;
    if (task->newer != 0)
        t->tasks.items[task->newer].older = task->older;
    struct tp_track_g *g = task->newer == 0 ? TP_SLAB_GET(&t->gs, task->g) : NULL;
    if (g != NULL)
        g->task = task->older;
    TP_SLAB_REMOVE(&t->tasks, task->id);
}

static bool begin_task(struct tp_tracker *t, const struct tp_event *e)
{
    uint64_t id = tp_arg(e, UserTaskBegin, task);
    struct tp_track_task *known = TP_SLAB_GET(&t->tasks, id);
    if (known != NULL)
        drop_task(t, known);
    struct tp_track_g *g = g_of(t, e->g);
    uint32_t slot = g != NULL ? TP_SLAB_ADD(&t->tasks, id) : 0;
    if (slot == 0)
        return false;
    t->tasks.items[slot] = (struct tp_track_task){.id = id, .older = g->task, .g = e->g};
    if (g->task != 0)
        t->tasks.items[g->task].newer = slot;
    g->task = slot;
    return true;
}

static void end_task(struct tp_tracker *t, const struct tp_event *e)
{
    struct tp_track_task *task = TP_SLAB_GET(&t->tasks, tp_arg(e, UserTaskEnd, task));
    if (task != NULL)
        drop_task(t, task);
}

// Several strings of a generation, and those of the next one, may have the same text.
static struct tp_nest_key region_key(const struct tp_event *e, const struct tp_tables *tables)
{
    struct tp_region region;
    (void)tp_event_region(e, tables, &region);
    return (struct tp_nest_key){region.task, tp_digest_short(tp_text_span(region.name))};
}

static bool begin_region(struct tp_tracker *t, const struct tp_event *e)
{
    struct tp_track_g *g = g_of(t, e->g);
    return g != NULL &&
           TP_NESTS_PUSH(&t->regions, &g->region, (uint64_t)g->id, region_key(e, t->tables));
}

static void end_region(struct tp_tracker *t, const struct tp_event *e)
{
    struct tp_track_g *g = TP_SLAB_GET(&t->gs, e->g);
    if (g == NULL || g->region == 0 || tp_arg(e, UserRegionEnd, is_stray) == 1)
        return;
    uint32_t slot =
        TP_NESTS_FIND(&t->regions, g->region, (uint64_t)g->id, region_key(e, t->tables));
    if (slot != 0)
        TP_NESTS_REMOVE(&t->regions, &g->region, (uint64_t)g->id, slot);
}

// STATES

// The parts of an event that changes a goroutine's state. Stacks are references.
struct change {
    const struct tp_event *event;
    enum tp_state from, to;
    uint64_t reason;
    uint64_t stack;     // of the context
    uint64_t own_stack; // of the goroutine itself
};

static uint64_t arg_of(const struct tp_event *e, uint8_t arg)
{
    return arg != 0 ? e->args[arg - 1] : 0;
}

static uint64_t stack_ref(const struct tp_tables *tables, uint64_t id)
{
    uint32_t idx = id != 0 ? tp_idmap_get(&tables->stack_ids, id) : 0;
    return id == 0 ? 0 : idx != UINT32_MAX ? (uint64_t)idx + 1 : TP_REF_LOST_STACK;
}

static uint64_t string_ref(const struct tp_tables *tables, uint64_t id)
{
    return tp_string_or_empty(tp_tables_string_idx(tables, id));
}

static bool is_preempted(const struct tp_tables *tables, uint64_t reason)
{
    const struct tp_state_span s = {.reason = reason};
    return tp_span_is(tp_text_span(tp_state_span_reason(&s, tables)), "preempted");
}

// Takes the name that the goroutine's own stack gives, if it is better than the one so far.
static void name(const struct tp_tables *tables, struct tp_track_g *g, const struct change *c)
{
    if (c->own_stack == 0 || c->own_stack == TP_REF_LOST_STACK ||
        g->name_rank == TP_NAME_SETTLED || c->own_stack == g->named_by)
        return;
    g->named_by = c->own_stack;
    struct tp_root root = tp_root_of_stack(tables, (uint32_t)c->own_stack - 1);
    enum tp_stack_origin origin = TP_STACK_OF_CALL;
    if (c->from == TP_STATE_NOT_EXIST)
        origin = TP_STACK_OF_CREATION;
    else if (c->event->type == TP_EV_GoStatusStack || is_preempted(tables, c->reason))
        origin = TP_STACK_OF_OTHERS;
    enum tp_name_rank rank = tp_name_rank_of((enum tp_root_kind)root.kind, origin);
    if (rank >= g->name_rank)
        return;
    g->name_rank = (uint8_t)rank;
    g->function = root.name;
}

static struct tp_state_span span_of(const struct tp_tracker *t, const struct tp_track_g *g,
                                    int64_t end_ns)
{
    return (struct tp_state_span){.begin_ns = g->since_ns,
                                  .end_ns = end_ns,
                                  .goroutine = g->id,
                                  .waker = g->waker,
                                  .task = task_of(t, g),
                                  .function = g->function,
                                  .reason = g->reason,
                                  .stack = g->stack,
                                  .waker_stack = g->waker_stack,
                                  .state = g->state,
                                  .had_begun = g->had_begun};
}

// Gives up a state of which the end is missing: it lasted until the goroutine was announced, at least.
static void give_up(const struct tp_tracker *t, const struct tp_track_g *g,
                    struct tp_state_span **spans)
{
    if (!g->had_begun)
        return;
    **spans = span_of(t, g, g->announced_ns);
    (*spans)++->goes_on = true;
}

// Ends the state of the goroutine with a span, unless the event contradicts the state.
static void leave(const struct tp_tracker *t, const struct tp_track_g *g, const struct change *c,
                  struct tp_state_span **spans)
{
    if (g->state != c->from) {
        give_up(t, g, spans);
        return;
    }
    struct tp_state_span s = span_of(t, g, c->event->time_ns);
    if (c->from == TP_STATE_WAITING && c->to == TP_STATE_RUNNABLE) {
        s.waker = c->event->g;
        s.waker_stack = c->stack;
    }
    *(*spans)++ = s;
}

static void enter(struct tp_track_g *g, const struct change *c)
{
    bool is_made = c->from == TP_STATE_NOT_EXIST; // its own stack is where it will begin
    bool is_woken = c->to == TP_STATE_RUNNABLE && (is_made || c->from == TP_STATE_WAITING);
    g->state = (uint8_t)c->to;
    g->since_ns = c->event->time_ns;
    g->had_begun = false;
    g->reason = c->reason;
    g->stack = is_made ? 0 : c->own_stack;
    g->waker = is_woken ? c->event->g : TP_NO_GOROUTINE;
    g->waker_stack = is_woken ? c->stack : 0;
}

static void end_g(struct tp_tracker *t, struct tp_track_g *g)
{
    while (g->region != 0)
        TP_NESTS_REMOVE(&t->regions, &g->region, (uint64_t)g->id, g->region);
    while (g->task != 0)
        drop_task(t, &t->tasks.items[g->task]);
    g->is_live = false;
    TP_SLAB_REMOVE(&t->gs, g->id);
}

// Follows a change of state. False: out of memory.
static bool change(struct tp_tracker *t, const struct tp_event *e, struct tp_state_span **spans)
{
    const struct tp_event_shape *shape = &tp_event_shapes[e->type];
    const struct change c = {
        .event = e,
        .from = tp_event_state_from(e),
        .to = tp_event_state_to(e),
        .reason = string_ref(t->tables, arg_of(e, shape->reason_arg)),
        .stack = stack_ref(t->tables, arg_of(e, shape->stack_arg)),
        .own_stack = stack_ref(t->tables, arg_of(e, shape->transition_stack_arg)),
    };
    if (c.from == c.to)
        return true;
    int64_t id = tp_event_resource_id(e, shape);
    bool begins = c.from == TP_STATE_NOT_EXIST || c.from == TP_STATE_UNDETERMINED;
    struct tp_track_g *g = begins ? TP_SLAB_GET(&t->gs, id) : NULL;
    if (g != NULL) {
        give_up(t, g, spans);
        end_g(t, g);
    }
    g = g_of(t, id);
    if (g == NULL)
        return false;
    name(t->tables, g, &c);
    if (!begins)
        leave(t, g, &c, spans);
    enter(g, &c);
    if (c.from == TP_STATE_UNDETERMINED) {
        g->had_begun = true;
        g->announced_ns = e->time_ns;
        g->since_ns = t->sync_ns >= 0 ? t->sync_ns : e->time_ns;
    }
    if (c.to == TP_STATE_NOT_EXIST) {
        end_g(t, g);
        return true;
    }
    return list_current(t, g);
}

static bool follow(struct tp_tracker *t, const struct tp_event *e, struct tp_state_span **spans)
{
    switch (tp_event_kinds[e->type]) {
    case TP_KIND_SYNC: t->sync_ns = e->time_ns; return true;
    case TP_KIND_TASK_BEGIN: return e->g == -1 || begin_task(t, e);
    case TP_KIND_TASK_END: end_task(t, e); return true;
    case TP_KIND_REGION_BEGIN: return e->g == -1 || begin_region(t, e);
    case TP_KIND_REGION_END: end_region(t, e); return true;
    case TP_KIND_TRANSITION:
        return tp_event_shapes[e->type].resource != TP_RESOURCE_GOROUTINE || change(t, e, spans);
    default: return true;
    }
}

int tp_tracker_block(struct tp_tracker *t, const struct tp_block *block,
                     struct tp_state_span *spans, size_t *ret_count, struct tp_error *err)
{
    struct tp_state_span *end = spans;
    *ret_count = 0;
    if (block->tables != NULL && block->tables != t->tables &&
        use_tables(t, block->tables, err) != 0)
        return err->code;
    bool fits = true;
    for (size_t i = 0; i < block->event_count && fits; i++)
        fits = follow(t, &block->events[i], &end);
    *ret_count = (size_t)(end - spans);
    if (!fits)
        return fail_for_memory(err);
    if (block->event_count > 0)
        t->last_ns = block->events[block->event_count - 1].time_ns;
    if (tp_tracker_bytes(t) > t->max_bytes)
        return tp_fail(err, TP_E_LIMIT, "goroutines and what they do do not fit into %llu MiB",
                       (unsigned long long)(t->max_bytes >> 20));
    return 0;
}

size_t tp_tracker_rest(struct tp_tracker *t, struct tp_state_span *spans, size_t room)
{
    size_t count = 0;
    while (count < room && t->rest_slot < t->gs.count) {
        const struct tp_track_g *g = &t->gs.items[++t->rest_slot];
        if (!g->is_live || g->state == TP_STATE_UNDETERMINED)
            continue;
        spans[count] = span_of(t, g, t->last_ns);
        spans[count++].goes_on = true;
    }
    return count;
}
