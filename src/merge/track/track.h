// What the files of this folder share. `lacks_memory` of the tracker is set if memory is out; the facts
// are then not complete.
#ifndef TP_MERGE_TRACK_TRACK_H
#define TP_MERGE_TRACK_TRACK_H

#include "merge/tables/event_shape.h"
#include "merge/track/tracker.h"

// Adds a fact to one of the lists.
#define TP_TRACK_PUT(t, list, ...) \
    ((void)(tp_likely(TP_LIST_ADD(list, __VA_ARGS__)) || ((t)->lacks_memory = true)))

TP_INLINE bool tp_track_wants(const struct tp_tracker *t, enum tp_track_want want)
{
    return (t->wants & want) != 0;
}

// REFERENCES

// Returns the reference to a stack; 0 also if the tables lack it.
TP_INLINE uint32_t tp_track_stack(const struct tp_tracker *t, uint64_t id)
{
    static_assert((uint32_t)(TP_IDMAP_NONE + 1) == 0, "no stack is the stack 0");
    return id != 0 ? tp_idmap_get(&t->tables->stack_ids, id) + 1 : 0;
}
// Does the same, but tells a stack that the tables lack from none, if spans are wanted.
TP_INLINE uint32_t tp_track_any_stack(const struct tp_tracker *t, uint64_t id)
{
    uint32_t ref = tp_track_stack(t, id);
    return ref == 0 && id != 0 && tp_track_wants(t, TP_TRACK_SPANS) ? TP_REF_LOST_STACK : ref;
}
TP_INLINE uint32_t tp_track_string(const struct tp_tracker *t, uint64_t id)
{
    return tp_string_or_empty(tp_tables_string_idx(t->tables, id));
}
TP_INLINE struct tp_span tp_track_text(const struct tp_tables *tables, uint32_t ref)
{
    return tp_text_span(tp_fact_text(ref, tables));
}
// Looks up a reason that the cache lacks.
const struct tp_track_reason *tp_track_seek_reason(struct tp_tracker *t, uint64_t id);
TP_INLINE const struct tp_track_reason *tp_track_reason(struct tp_tracker *t, uint64_t id)
{
    const struct tp_track_reason *r = &t->reasons[id % TP_TRACK_REASONS];
    return tp_likely(r->id == id) ? r : tp_track_seek_reason(t, id);
}
// Empties the caches of the tables; call it when they are new.
void tp_track_forget_tables(struct tp_tracker *t);
// Makes what is open refer to the new tables.
int tp_track_use_tables(struct tp_tracker *t, struct tp_tables *tables,
                        struct tp_error *err) TP_MUST_USE;

// GOROUTINES. A pointer to a goroutine is valid until the next one is added.

TP_INLINE struct tp_track_recent *tp_track_recent_of(struct tp_tracker *t, int64_t id)
{
    return &t->recent_gs[(uint64_t)id % TP_TRACK_RECENT_GS];
}
// Notes that the item in this slot may refer to the current tables.
void tp_track_touch(struct tp_tracker *t, struct tp_track_touched *touched, uint32_t slot);
struct tp_track_g *tp_track_seek_g(struct tp_tracker *t, int64_t id);
// NULL: there is none.
TP_INLINE struct tp_track_g *tp_track_find_g(struct tp_tracker *t, int64_t id)
{
    const struct tp_track_recent *recent = tp_track_recent_of(t, id);
    return tp_likely(recent->id == id) ? &t->gs.items[recent->slot] : tp_track_seek_g(t, id);
}
// Adds a goroutine. NULL: out of memory.
struct tp_track_g *tp_track_add_g(struct tp_tracker *t, int64_t id);
// Adds the goroutine if it is missing.
TP_INLINE struct tp_track_g *tp_track_g_of(struct tp_tracker *t, int64_t id)
{
    struct tp_track_g *g = tp_track_find_g(t, id);
    return tp_likely(g != NULL) ? g : tp_track_add_g(t, id);
}
void tp_track_remove_g(struct tp_tracker *t, struct tp_track_g *g);

// Whether the events of the goroutine must be left to the tracker that adopts this one.
TP_INLINE bool tp_track_is_unsettled(const struct tp_track_g *g)
{
    return (g->now.marks & TP_SPAN_IS_UNSETTLED) != 0;
}

// Whether the reason, NULL: none, is that others stopped the goroutine.
TP_INLINE bool tp_track_is_preemption(const struct tp_track_reason *reason)
{
    return reason != NULL && (reason->wait & TP_WAIT_IS_PREEMPTION) != 0;
}

// Returns who ended the wait of the goroutine at `stack`. `left_ns`: when the waker had last left a wait,
// by the rule for this one.
TP_INLINE struct tp_track_wake tp_track_wake_of(const struct tp_track_g *g, int64_t end_ns,
                                                int64_t left_ns, uint32_t stack)
{
    int64_t blamed_since_ns = left_ns > g->since_ns ? left_ns : g->since_ns;
    return (struct tp_track_wake){.ns = (uint64_t)(end_ns - g->since_ns),
                                  .blamed_ns = (uint64_t)(end_ns - blamed_since_ns),
                                  .wait = g->now.stack,
                                  .wake = stack,
                                  .reason = g->now.reason,
                                  .is_before_run = (g->now.marks & TP_SPAN_BEFORE_RUN) != 0};
}

// Makes room for the spans of so many events. False: out of memory.
bool tp_track_make_room(struct tp_facts *f, uint32_t event_count) TP_MUST_USE;
// Adds an event that is no Sync. For replays, to which metrics and CPU samples never come.
void tp_track_event(struct tp_tracker *t, struct tp_facts *f, const struct tp_event *e);
// Adds a change of a goroutine's state, of any type.
void tp_track_change(struct tp_tracker *t, struct tp_facts *f, const struct tp_event *e);
// Adds events, of which the first has this index in the block, for a tracker that wants
// TP_TRACK_FOR_STATS.
void tp_track_for_stats(struct tp_tracker *t, struct tp_facts *f, const struct tp_event *e,
                        uint32_t count, uint32_t idx);
// Adds any event, of this index in the block. tp_track_for_stats calls it for types that it does not
// handle itself.
void tp_track_other(struct tp_tracker *t, struct tp_facts *f, const struct tp_event *e,
                    uint32_t idx);
// Takes the name that the goroutine's own stack gives, if it is better than the one so far.
void tp_track_name(struct tp_tracker *t, struct tp_facts *f, struct tp_track_g *g, uint32_t stack,
                   enum tp_stack_origin origin);
// Gives out that the goroutine's name is known for good.
void tp_track_settle_name(struct tp_tracker *t, struct tp_facts *f, struct tp_track_g *g);
// Gives up a state of which the end is missing.
void tp_track_give_up(struct tp_tracker *t, struct tp_facts *f, struct tp_track_g *g);
// Ends the life of a goroutine, and removes it.
void tp_track_end_life(struct tp_tracker *t, struct tp_facts *f, struct tp_track_g *g,
                       int64_t end_ns, bool is_cut);

TP_INLINE enum tp_class tp_track_class_of(enum tp_state state, unsigned wait)
{
    switch (state) {
    case TP_STATE_RUNNING: return TP_CLASS_RUNNING;
    case TP_STATE_RUNNABLE: return TP_CLASS_RUNNABLE;
    case TP_STATE_SYSCALL: return TP_CLASS_SYSCALL;
    default: return tp_class_of_wait(wait);
    }
}
TP_INLINE enum tp_class tp_track_class(const struct tp_track_state *s)
{
    return tp_track_class_of((enum tp_state)s->state, s->wait);
}
TP_INLINE enum tp_blame tp_track_blame_of(unsigned wait_bits)
{
    return (wait_bits & TP_WAIT_FOR_LOCK) != 0 ? TP_BLAME_LOCK : TP_BLAME_OTHERS;
}
// Returns the span of the state that lasts, up to a time.
struct tp_state_span tp_track_span_of(const struct tp_tracker *t, const struct tp_track_g *g,
                                      int64_t end_ns);
// Gives out a span that is cut.
void tp_track_put_cut(struct tp_tracker *t, struct tp_facts *f, struct tp_track_g *g,
                      const struct tp_state_span *s);
TP_INLINE void tp_track_put_move(struct tp_tracker *t, struct tp_facts *f, unsigned from, unsigned to,
                             int64_t time_ns)
{
    const struct tp_track_move move = {time_ns, (uint8_t)from, (uint8_t)to, false};
    if (tp_track_wants(t, TP_TRACK_MOVES))
        TP_TRACK_PUT(t, &f->moves, move);
}

// Gives out an interval for the C library, if intervals are wanted. Task 0: in none, or in the background
// task.
TP_INLINE void tp_track_put_lasting(struct tp_tracker *t, struct tp_facts *f,
                                    struct tp_interval interval)
{
    if (tp_likely(!tp_track_wants(t, TP_TRACK_LASTING)))
        return;
    if (interval.task == 0)
        interval.task = TP_NO_TASK;
    TP_TRACK_PUT(t, &f->lasting, interval);
}

// LEGS AND RUNS

void tp_track_note_leg(struct tp_tracker *t, struct tp_track_g *g, int64_t end_ns,
                       uint32_t stack);
// Ends the leg that lasts at an event with this stack, and begins one without a stack.
TP_INLINE void tp_track_end_leg(struct tp_tracker *t, struct tp_track_g *g, int64_t end_ns,
                                uint32_t stack)
{
    // This also holds if the leg began at TP_LEG_BEFORE.
    if (tp_unlikely((uint64_t)end_ns - (uint64_t)g->legs.since_ns > g->legs.longest_ns))
        tp_track_note_leg(t, g, end_ns, stack);
    g->legs.since_ns = end_ns;
    g->legs.stack = TP_LEG_NO_STACK;
}
// Forgets the legs before an event of a task, at which a leg begins.
void tp_track_forget_legs(struct tp_track_g *g, int64_t time_ns);
// Adds the end of a run at a stack, before the goroutine changes its state.
void tp_track_end_run(struct tp_tracker *t, struct tp_facts *f, struct tp_track_g *g,
                      int64_t time_ns, uint32_t stack, bool was_preempted);
// Notes a wait of `ns` for a P, if it is late.
void tp_track_note_late(struct tp_tracker *t, struct tp_facts *f, const struct tp_track_g *g,
                        uint64_t ns);
// Ends the watch that began with a preemption, and gives out the preempted run. `stack`: where the
// goroutine's next run ended; 0: there was no such run, or it has no stack.
void tp_track_end_watch(struct tp_tracker *t, struct tp_facts *f, struct tp_track_g *g,
                        uint32_t stack);

// TASKS, REGIONS, RANGES, PS

void tp_track_task_event(struct tp_tracker *t, struct tp_facts *f, const struct tp_event *e);
void tp_track_region_event(struct tp_tracker *t, struct tp_facts *f, const struct tp_event *e);
void tp_track_log(struct tp_tracker *t, const struct tp_event *e);
void tp_track_range_event(struct tp_tracker *t, struct tp_facts *f, const struct tp_event *e);
void tp_track_proc_event(struct tp_tracker *t, struct tp_facts *f, const struct tp_event *e);
void tp_track_label(struct tp_tracker *t, const struct tp_event *e);
// Ends a task or region. `view`: what a speculative tracker knew of the goroutine (view.h); NULL: the
// event was not left.
void tp_track_end_task(struct tp_tracker *t, struct tp_facts *f, const struct tp_event *e,
                       const struct tp_track_view *view);
void tp_track_end_region(struct tp_tracker *t, struct tp_facts *f, const struct tp_event *e,
                         const struct tp_track_view *view);
// Ends the open regions of a goroutine that ends or, with is_cut, is cut.
void tp_track_close_regions(struct tp_tracker *t, struct tp_facts *f, struct tp_track_g *g,
                            int64_t end_ns, bool is_cut);
// Returns the legs of a view, joined to those of the goroutine in the adopting tracker; NULL: it has
// none there.
struct tp_track_legs tp_track_legs_of(const struct tp_track_view *view,
                                      const struct tp_track_g *g);
// Gives out the longest leg of a task.
void tp_track_put_leg(struct tp_tracker *t, struct tp_facts *f, const struct tp_track_legs *legs,
                      uint64_t task_ns, uint32_t name);
// Unlinks the tasks of a goroutine that ends. The tasks stay open.
void tp_track_leave_tasks(struct tp_tracker *t, struct tp_track_g *g);
// Gives out the tasks, ranges and runs of Ps that are open when the trace ends.
void tp_track_cut_tasks(struct tp_tracker *t, struct tp_facts *f);
void tp_track_cut_ranges(struct tp_tracker *t, struct tp_facts *f);
void tp_track_cut_procs(struct tp_tracker *t, struct tp_facts *f);
// Returns the task of a span of the goroutine (tracepipe/span.h).
uint64_t tp_track_task_of(const struct tp_tracker *t, const struct tp_track_g *g);
// Returns the mark of a goroutine at a moment.
struct tp_track_mark tp_track_mark_of(const struct tp_track_g *g, int64_t time_ns);

// THE COLLECTOR

// Adds the note of an event that changes no goroutine's state, if it is a step.
void tp_track_gc(struct tp_tracker *t, struct tp_facts *f, const struct tp_event *e);
// Adds a note of this kind about the goroutine.
void tp_track_gc_note(struct tp_tracker *t, struct tp_facts *f, const struct tp_event *e,
                      struct tp_track_g *g, unsigned kind);

// Adds the note of a change by which a goroutine with a role begins or ceases to execute.
TP_INLINE void tp_track_note_exec(struct tp_tracker *t, struct tp_facts *f, const struct tp_event *e,
                                  struct tp_track_g *g, enum tp_state from, enum tp_state to)
{
    if (tp_gc_executes(from) != tp_gc_executes(to) && tp_unlikely(tp_gc_role_is_any(g->role)))
        tp_track_gc_note(t, f, e, g, tp_gc_executes(to) ? TP_GC_EXEC_BEGIN : TP_GC_EXEC_END);
}

// LEFT TO THE ADOPTING TRACKER

// Leaves a change of the state of an unsettled goroutine, or its end.
void tp_track_leave_change(struct tp_tracker *t, struct tp_facts *f, const struct tp_event *e,
                           struct tp_track_g *g);
// Leaves an event as it is; with a view of the goroutine, if it is settled or new.
void tp_track_leave_event(struct tp_tracker *t, const struct tp_event *e);
void tp_track_leave_event_of(struct tp_tracker *t, const struct tp_event *e,
                             const struct tp_track_g *g);
// Leaves the end of a wait whose waker may have left its own last wait before the speculation.
void tp_track_leave_wake(struct tp_tracker *t, const struct tp_event *e,
                         const struct tp_track_g *g);
// Leaves the longest leg of a task of `task_ns`, which ended by the first task event of a settled
// goroutine.
void tp_track_leave_leg(struct tp_tracker *t, const struct tp_event *e,
                        const struct tp_track_legs *legs, uint32_t first_leg,
                        uint64_t task_ns, uint32_t name);
// Leaves the end of a leg that began before the goroutine was settled.
void tp_track_leave_first_leg(struct tp_tracker *t, struct tp_track_g *g, int64_t end_ns,
                              uint32_t stack);
// Leaves only that the goroutine ended a stop of the world.
void tp_track_leave_stop(struct tp_tracker *t, const struct tp_event *e);
// Returns when the waker of an event that is replayed left a wait; see adopt.c.
int64_t tp_track_waker_left_ns(struct tp_tracker *t, int64_t waker, enum tp_blame rule);

#endif
