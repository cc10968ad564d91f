// Makes open states, tasks, regions and ranges refer to the tables of the next generation: copies the
// texts and stacks to which they refer into the carried states of these tables.
#include <string.h>

#include "base/alloc.h"
#include "merge/tables/read.h"
#include "merge/track/track.h"

// A new carried_states object gets room for further entries: one for every LIVES_PER_ENTRY living
// goroutines, and LEAST_ROOM more. So it is seldom renewed.
#define LIVES_PER_ENTRY 16
#define LEAST_ROOM 64
// If the tables have more stacks than this, the roots of the stacks are not cached, to limit memory.
#define ROOTS_MAX 65536

// CACHES

TP_NOINLINE const struct tp_track_reason *tp_track_seek_reason(struct tp_tracker *t, uint64_t id)
{
    struct tp_track_reason *r = &t->reasons[id % TP_TRACK_REASONS];
    uint32_t string = tp_track_string(t, id);
    *r = (struct tp_track_reason){id, string, tp_wait_of_reason(t->tables->strings.items[string])};
    return r;
}

static enum tp_preemption_stack preemption_stack_of(unsigned minor)
{
    return minor < 21   ? TP_PREEMPTION_SHOWS_RUNNER
           : minor < 25 ? TP_PREEMPTION_LACKS_RUNNER
                        : TP_PREEMPTION_SHOWS_ENTERED;
}

void tp_track_forget_tables(struct tp_tracker *t)
{
    memset(t->reasons, 0, sizeof t->reasons);
    t->reasons[0].id = 1;
    t->preemption_stack = preemption_stack_of(t->tables->minor);
    size_t count = t->tables->stacks.count;
    t->roots.count = 0;
    if (count == 0 || count > ROOTS_MAX || !TP_LIST_ROOM_FOR(&t->roots, count))
        return; // the cache saves time only
    t->roots.count = (uint32_t)count;
    memset(t->roots.items, 0, count * sizeof *t->roots.items);
}

// CARRYING

struct carrying {
    const struct tp_tables *from;
    struct tp_carried_states *to;
    bool does_renew;      // also what is carried already
    bool fits;            // false: no room, or no memory; what is not carried is as it was
    struct tp_map stacks; // of an old reference: number of the new one + 1
};

static bool is_to_carry(const struct carrying *c, uint32_t ref)
{
    return c->fits && ref != 0 && ref < TP_REF_FROM_C &&
           (c->does_renew || (ref & TP_REF_CARRIED) == 0);
}

static struct tp_text string_at(const struct tp_tables *t, uint64_t id)
{
    return tp_text_of(t->strings.items[tp_string_or_empty(tp_tables_string_idx(t, id))]);
}

// Reads the frames of the stack `ref` of the tables into `frames`, which has room for all of them. Does
// not call tp_tables_resolve: to resolve all stacks of the tables would take much longer.
static void read_frames(const struct tp_tables *t, uint32_t ref, struct tp_frame *frames)
{
    const struct tp_stack_def *def = &t->stacks.items[ref - 1];
    const unsigned char *p = def->frames;
    for (uint32_t i = 0; i < def->frame_count; i++) {
        struct tp_wire_frame f = tp_table_take_frame(&p);
        frames[i] = (struct tp_frame){
            .pc = f.pc, .function = string_at(t, f.function), .file = string_at(t, f.file), .line = f.line};
    }
}

// Copies a stack into c->to, and returns the reference to the copy. 0: out of memory, or c->to has no
// room.
static uint32_t copy_stack(struct carrying *c, uint32_t ref)
{
    const struct tp_tables *t = c->from;
    bool is_carried = (ref & TP_REF_CARRIED) != 0;
    struct tp_stack stack = is_carried ? tp_fact_stack(ref, t) : (struct tp_stack){0};
    uint32_t count = is_carried ? stack.frame_count : t->stacks.items[ref - 1].frame_count;
    struct tp_frame *frames = tp_alloc_array(count + 1u, sizeof *frames);
    uint32_t copy = 0;
    if (frames == NULL)
        return 0;
    for (uint32_t i = 0; i < count && is_carried; i++)
        frames[i] = tp_stack_frame(&stack, i);
    if (!is_carried)
        read_frames(t, ref, frames);
    copy = tp_carried_states_put_stack(c->to, frames, count);
    tp_free(frames);
    return copy;
}

// Makes *ref refer to a copy of its stack. Copies each stack only once, because many goroutines wait in
// the same place.
static void carry_stack(struct carrying *c, uint32_t *ref)
{
    if (!is_to_carry(c, *ref))
        return;
    uint32_t known = tp_map_get(&c->stacks, *ref);
    if (known != TP_MAP_NONE) {
        *ref = TP_REF_CARRIED | (known - 1);
        return;
    }
    uint32_t copy = copy_stack(c, *ref);
    c->fits = copy != 0 && tp_map_put(&c->stacks, *ref, (copy & ~TP_REF_CARRIED) + 1);
    if (c->fits)
        *ref = copy;
}

static void carry_text(struct carrying *c, uint32_t *ref)
{
    if (!is_to_carry(c, *ref))
        return;
    uint32_t copy = tp_carried_states_put_text(c->to, tp_fact_text(*ref, c->from));
    c->fits = copy != 0;
    if (c->fits)
        *ref = copy;
}

static void carry_g(struct tp_tracker *t, struct carrying *c, struct tp_track_g *g)
{
    if (!g->is_live)
        return;
    g->named_by = 0;
    carry_text(c, &g->function);
    if ((g->now.marks & TP_SPAN_IS_UNNAMED) == 0)
        g->now.who = g->function;
    carry_text(c, &g->now.reason);
    carry_stack(c, &g->now.stack);
    carry_stack(c, &g->creation_stack);
    bool has_late = tp_track_wants(t, TP_TRACK_LABELS);
    if (!has_late)
        carry_stack(c, &g->wrapped);
    carry_stack(c, &g->preempted_stack);
    carry_stack(c, &g->legs.stack);
    carry_stack(c, &g->legs.longest_stack);
    for (uint32_t at = g->waits; at != 0; at = t->waits.items[at].next) {
        struct tp_track_open_wait *wait = &t->waits.items[at];
        if (wait->is_carried && !c->does_renew)
            break;
        carry_stack(c, &wait->wait.stack);
        wait->is_carried = true;
    }
    for (uint32_t at = has_late ? g->late : 0; at != 0; at = t->late.items[at].next) {
        struct tp_track_late *late = &t->late.items[at];
        if (late->is_carried && !c->does_renew)
            break;
        carry_stack(c, &late->of.stack);
        carry_text(c, &late->of.task);
        carry_text(c, &late->of.region);
        late->is_carried = true;
    }
    for (uint32_t at = g->region; at != 0; at = t->regions.items[at].nest.next) {
        struct tp_track_region *region = &t->regions.items[at];
        if (region->is_carried && !c->does_renew)
            break;
        carry_text(c, &region->name);
        region->is_carried = true;
    }
}

static void carry_task(struct carrying *c, struct tp_track_task *task)
{
    if (!task->is_open)
        return;
    carry_text(c, &task->name);
    for (unsigned i = 0; i < task->line_count; i++) {
        carry_text(c, &task->lines[i].category);
        carry_text(c, &task->lines[i].message);
    }
}

static void carry_range(struct carrying *c, struct tp_track_open_range *range)
{
    if (!range->is_open)
        return;
    carry_text(c, &range->name);
    carry_stack(c, &range->stack);
}

// Returns how many slots to carry: those touched or, if all references are renewed, all `slot_count`.
static uint32_t count_of(const struct carrying *c, const struct tp_track_touched *touched,
                         uint32_t slot_count)
{
    return !c->fits ? 0 : c->does_renew ? slot_count : touched->slots.count;
}

static uint32_t slot_of(const struct carrying *c, const struct tp_track_touched *touched,
                        uint32_t number)
{
    return c->does_renew ? number + 1 : touched->slots.items[number];
}

static void carry_all(struct tp_tracker *t, struct carrying *c)
{
    for (uint32_t i = 0; i < count_of(c, &t->touched_gs, t->gs.count); i++)
        carry_g(t, c, &t->gs.items[slot_of(c, &t->touched_gs, i)]);
    for (uint32_t i = 0; i < count_of(c, &t->touched_tasks, t->tasks.count); i++)
        carry_task(c, &t->tasks.items[slot_of(c, &t->touched_tasks, i)]);
    for (unsigned kind = 0; kind < TP_TRACK_RANGE_COUNT; kind++) {
        const struct tp_track_touched *touched = &t->touched_ranges[kind];
        for (uint32_t i = 0; i < count_of(c, touched, t->ranges[kind].count); i++)
            carry_range(c, &t->ranges[kind].items[slot_of(c, touched, i)]);
    }
    tp_map_fini(&c->stacks);
}

// Copies the texts and stacks of all that is open, also those carried already, into a new object. Returns
// the new object; NULL: out of memory.
static struct tp_carried_states *renew(struct tp_tracker *t)
{
    struct carrying c = {.from = t->tables, .to = tp_carried_states_create(), .does_renew = true};
    c.fits = c.to != NULL;
    carry_all(t, &c);
    if (c.fits && tp_carried_states_fix(c.to, t->gs.by_id.count / LIVES_PER_ENTRY + LEAST_ROOM))
        return c.to;
    tp_carried_states_release(c.to);
    return NULL;
}

// TOUCHED ITEMS

void tp_track_touch(struct tp_tracker *t, struct tp_track_touched *touched, uint32_t slot)
{
    if (t->is_speculative)
        return; // it has one generation's tables
    while (touched->bits.count <= slot / 64) {
        if (!TP_LIST_ADD(&touched->bits, 0)) {
            t->lacks_memory = true;
            return;
        }
    }
    uint64_t *word = &touched->bits.items[slot / 64], bit = UINT64_C(1) << slot % 64;
    if ((*word & bit) != 0)
        return;
    *word |= bit;
    TP_TRACK_PUT(t, &touched->slots, slot);
}

static void forget_touched(struct tp_track_touched *touched)
{
    for (uint32_t i = 0; i < touched->slots.count; i++)
        touched->bits.items[touched->slots.items[i] / 64] = 0;
    touched->slots.count = 0;
}

static int hold_tables(struct tp_tracker *t, struct tp_tables *tables)
{
    forget_touched(&t->touched_gs);
    forget_touched(&t->touched_tasks);
    for (unsigned kind = 0; kind < TP_TRACK_RANGE_COUNT; kind++)
        forget_touched(&t->touched_ranges[kind]);
    // Empty the cache of goroutines, because a lookup touches a goroutine only if the cache lacks it.
    memset(t->recent_gs, 0, sizeof t->recent_gs);
    t->recent_gs[0].id = 1;
    tp_tables_hold(tables);
    tp_tables_release(t->tables);
    t->tables = tables;
    tp_track_forget_tables(t);
    return 0;
}

int tp_track_use_tables(struct tp_tracker *t, struct tp_tables *tables, struct tp_error *err)
{
    if (t->tables == NULL)
        return hold_tables(t, tables);
    struct tp_carried_states *now = NULL, *old = t->tables->carried_states;
    struct carrying c = {.from = t->tables, .to = old, .fits = old != NULL};
    carry_all(t, &c);
    // Without memory the old object is not renewed, because references, which sinks may write, must not
    // depend on memory.
    if (c.fits)
        now = tp_carried_states_hold(old);
    else if (old == NULL || old->lacks_room)
        now = renew(t);
    if (now == NULL) {
        // Goroutines, tasks and ranges may refer to the object that renew() has freed, so the tracker
        // must not be used any more.
        t->lacks_memory = true;
        return tp_tracker_fail_for_memory(err);
    }
    tp_carried_states_release(tables->carried_states);
    tables->carried_states = now;
    return hold_tables(t, tables);
}
