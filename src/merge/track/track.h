// Functions that the files of this folder share. A function that runs out of memory sets `lacks_memory`
// of the tracker; the facts are then incomplete.
#ifndef TP_MERGE_TRACK_TRACK_H
#define TP_MERGE_TRACK_TRACK_H

#include "merge/tables/event_shape.h"
#include "merge/track/tracker.h"

// Adds a fact to a list of struct tp_facts; without memory sets `lacks_memory`.
#define TP_TRACK_PUT(t, list, ...) \
    ((void)(tp_likely(TP_LIST_ADD(list, __VA_ARGS__)) || ((t)->lacks_memory = true)))

TP_INLINE bool tp_track_wants(const struct tp_tracker *t, enum tp_track_want want)
{
    return (t->wants & want) != 0;
}

// REFERENCES

// Returns the reference to the stack with this id. 0: the id is 0, or the tables lack the stack.
TP_INLINE uint32_t tp_track_stack(const struct tp_tracker *t, uint64_t id)
{
    static_assert((uint32_t)(TP_IDMAP_NONE + 1) == 0, "no stack is the stack 0");
    return id != 0 ? tp_idmap_get(&t->tables->stack_ids, id) + 1 : 0;
}
// Returns what tp_track_stack does or, if spans are wanted and the tables lack the stack,
// TP_REF_LOST_STACK.
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
// tp_track_reason returns a reason from the cache; tp_track_seek_reason first looks the reason up in the
// tables, and puts it into the cache.
const struct tp_track_reason *tp_track_seek_reason(struct tp_tracker *t, uint64_t id);
TP_INLINE const struct tp_track_reason *tp_track_reason(struct tp_tracker *t, uint64_t id)
{
    const struct tp_track_reason *r = &t->reasons[id % TP_TRACK_REASONS];
    return tp_likely(r->id == id) ? r : tp_track_seek_reason(t, id);
}
// Empties the caches of what was looked up in the tables; call it when the tracker gets new tables.
void tp_track_forget_tables(struct tp_tracker *t);
// Makes open states, tasks, regions and ranges refer to new tables, and takes a hold of the tables. Fails
// with TP_E_MEMORY.
int tp_track_use_tables(struct tp_tracker *t, struct tp_tables *tables,
                        struct tp_error *err) TP_MUST_USE;

// GOROUTINES. A pointer to a goroutine is valid until another goroutine is added.

TP_INLINE struct tp_track_recent *tp_track_recent_of(struct tp_tracker *t, int64_t id)
{
    return &t->recent_gs[(uint64_t)id % TP_TRACK_RECENT_GS];
}
// Notes that the item in this slot may refer to the current tables, so that it is carried.
void tp_track_touch(struct tp_tracker *t, struct tp_track_touched *touched, uint32_t slot);
struct tp_track_g *tp_track_seek_g(struct tp_tracker *t, int64_t id);
// Returns the goroutine with this id; NULL: there is none. Calls tp_track_seek_g if the cache lacks it.
TP_INLINE struct tp_track_g *tp_track_find_g(struct tp_tracker *t, int64_t id)
{
    const struct tp_track_recent *recent = tp_track_recent_of(t, id);
    return tp_likely(recent->id == id) ? &t->gs.items[recent->slot] : tp_track_seek_g(t, id);
}
// Adds a goroutine. NULL: out of memory.
struct tp_track_g *tp_track_add_g(struct tp_tracker *t, int64_t id);
// Returns the goroutine with this id, and adds a missing one. NULL: out of memory.
TP_INLINE struct tp_track_g *tp_track_g_of(struct tp_tracker *t, int64_t id)
{
    struct tp_track_g *g = tp_track_find_g(t, id);
    return tp_likely(g != NULL) ? g : tp_track_add_g(t, id);
}
void tp_track_remove_g(struct tp_tracker *t, struct tp_track_g *g);

// Whether the events of the goroutine must be deferred to the tracker that adopts this one.
TP_INLINE bool tp_track_is_unsettled(const struct tp_track_g *g)
{
    return (g->now.marks & TP_SPAN_IS_UNSETTLED) != 0;
}

// Whether this is the reason of a preemption. `reason` NULL: false.
TP_INLINE bool tp_track_is_preemption(const struct tp_track_reason *reason)
{
    return reason != NULL && (reason->wait & TP_WAIT_IS_PREEMPTION) != 0;
}

// Returns who ended the wait of `g`. `stack`: the stack of the event that ended the wait. `left_ns`: when
// the waker last left a wait of its own that counts by the rule (enum tp_blame) for the wait of `g`.
TP_INLINE struct tp_track_wake tp_track_wake_of(const struct tp_track_g *g, int64_t end_ns,
                                                int64_t left_ns, uint32_t stack)
{
    int64_t blamed_since_ns = left_ns > g->since_ns ? left_ns : g->since_ns;
    return (struct tp_track_wake){.ns = (uint64_t)(end_ns - g->since_ns),
                                  .at = (uint64_t)g->since_ns,
                                  .blamed_ns = (uint64_t)(end_ns - blamed_since_ns),
                                  .wait = g->now.stack,
                                  .wake = stack,
                                  .reason = g->now.reason,
                                  .is_before_run = (g->now.marks & TP_SPAN_BEFORE_RUN) != 0};
}

// Makes room for the short spans and wakes of `event_count` events. False: out of memory.
bool tp_track_make_room(struct tp_facts *f, uint32_t event_count) TP_MUST_USE;
// Follows a replayed event, which is never a Sync, a metric or a CPU sample.
void tp_track_event(struct tp_tracker *t, struct tp_facts *f, const struct tp_event *e);
// Follows an event of any type that changes a goroutine's state.
void tp_track_change(struct tp_tracker *t, struct tp_facts *f, const struct tp_event *e);
// Follows the events from `e` to before `stop` as tp_track_for_stats does. `first`: the first event of the
// block.
void tp_track_usual(struct tp_tracker *t, struct tp_facts *f, const struct tp_event *e,
                    const struct tp_event *stop, const struct tp_event *first);
// Follows `count` events, for a tracker that wants TP_TRACK_FOR_STATS. `idx`: index of the first of these
// events in the block.
void tp_track_for_stats(struct tp_tracker *t, struct tp_facts *f, const struct tp_event *e,
                        uint32_t count, uint32_t idx);
// Follows an event of any type. `idx`: its index in the block. tp_track_for_stats calls this function for
// the types that it does not handle itself.
void tp_track_other(struct tp_tracker *t, struct tp_facts *f, const struct tp_event *e,
                    uint32_t idx);
// Takes the name that the goroutine's own stack `stack` gives, if it is better than the name so far.
void tp_track_name(struct tp_tracker *t, struct tp_facts *f, struct tp_track_g *g, uint32_t stack,
                   enum tp_stack_origin origin);
// Keeps the goroutine's own stack `stack` if it is the first that shows what its start function wraps.
// Called for each own stack while the name is not settled, and then while TP_WATCH_WRAPPED is set or, in a
// speculative tracker, for a goroutine from before, whose name the adopting tracker may have settled.
void tp_track_see_wrapped(struct tp_tracker *t, struct tp_track_g *g, uint32_t stack);
// Names a goroutine that the runtime made for a thread of C code.
void tp_track_name_from_c(struct tp_tracker *t, struct tp_facts *f, struct tp_track_g *g);
// Settles the goroutine's name, and gives it out if there are spans without it.
void tp_track_settle_name(struct tp_tracker *t, struct tp_facts *f, struct tp_track_g *g);
// Ends a state whose end the trace does not show. If the state was announced, gives out its span, which
// ends at the announcement.
void tp_track_give_up(struct tp_tracker *t, struct tp_facts *f, struct tp_track_g *g);
// Ends the life of a goroutine, and removes it. is_cut: the trace does not show the end.
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
// Returns the span of the goroutine's current state up to `end_ns`.
struct tp_state_span tp_track_span_of(const struct tp_tracker *t, const struct tp_track_g *g,
                                      int64_t end_ns);
// Gives out a span that is cut, and adds its time to the goroutine's clock.
void tp_track_put_cut(struct tp_tracker *t, struct tp_facts *f, struct tp_track_g *g,
                      const struct tp_state_span *s);
TP_INLINE void tp_track_put_move(struct tp_tracker *t, struct tp_facts *f, unsigned from, unsigned to,
                             int64_t time_ns)
{
    const struct tp_track_move move = {time_ns, (uint8_t)from, (uint8_t)to, false};
    if (tp_track_wants(t, TP_TRACK_MOVES))
        TP_TRACK_PUT(t, &f->moves, move);
}

// Gives out a struct tp_interval (tracepipe/span.h), if intervals are wanted. interval.task 0: the
// interval is in no task or in the background task; both are given out as TP_NO_TASK.
TP_INLINE void tp_track_put_lasting(struct tp_tracker *t, struct tp_facts *f,
                                    struct tp_interval interval)
{
    if (tp_likely(!tp_track_wants(t, TP_TRACK_LASTING)))
        return;
    if (interval.task == 0)
        interval.task = TP_NO_TASK;
    if (interval.kind != TP_INTERVAL_TASK || interval.parent == 0)
        interval.parent = TP_NO_TASK;
    interval.span_count = f->spans.count;
    TP_TRACK_PUT(t, &f->lasting, interval);
}

// LEGS AND RUNS

void tp_track_note_leg(struct tp_tracker *t, struct tp_track_g *g, int64_t end_ns,
                       uint32_t stack);
// Ends the current leg of a goroutine by an event with the stack `stack`, and begins a leg without a
// stack.
TP_INLINE void tp_track_end_leg(struct tp_tracker *t, struct tp_track_g *g, int64_t end_ns,
                                uint32_t stack)
{
    // The condition also holds for a leg that began at TP_LEG_BEFORE: the difference is then 2^63 or
    // more, longer than any leg.
    if (tp_unlikely((uint64_t)end_ns - (uint64_t)g->legs.since_ns > g->legs.longest_ns))
        tp_track_note_leg(t, g, end_ns, stack);
    g->legs.since_ns = end_ns;
    g->legs.stack = TP_LEG_NO_STACK;
}
// Forgets the goroutine's legs at a task event, and begins a leg there.
void tp_track_forget_legs(struct tp_track_g *g, int64_t time_ns);
// Notes the run that ends at `stack`. Call before the goroutine's state changes.
void tp_track_end_run(struct tp_tracker *t, struct tp_facts *f, struct tp_track_g *g,
                      int64_t time_ns, uint32_t stack, bool was_preempted);
// Notes a wait of `ns` for a P, if an unblock or creation came before and the wait took at least
// TP_LATE_NS.
void tp_track_note_late(struct tp_tracker *t, struct tp_facts *f, const struct tp_track_g *g,
                        uint64_t ns);
// Ends the watch that began with a preemption, if there is one, and gives out the preempted run. `stack`:
// where the goroutine's next run ended; 0: there was no such run, or its end has no stack.
void tp_track_end_watch(struct tp_tracker *t, struct tp_facts *f, struct tp_track_g *g,
                        uint32_t stack);

// TASKS, REGIONS, RANGES, PS

void tp_track_task_event(struct tp_tracker *t, struct tp_facts *f, const struct tp_event *e);
void tp_track_region_event(struct tp_tracker *t, struct tp_facts *f, const struct tp_event *e);
void tp_track_log(struct tp_tracker *t, const struct tp_event *e);
void tp_track_range_event(struct tp_tracker *t, struct tp_facts *f, const struct tp_event *e);
void tp_track_proc_event(struct tp_tracker *t, struct tp_facts *f, const struct tp_event *e);
void tp_track_label(struct tp_tracker *t, const struct tp_event *e);
// End a task or region. `view`: what a speculative tracker knew of the goroutine (view.h); NULL: the end
// was not deferred, or was deferred without a view.
void tp_track_end_task(struct tp_tracker *t, struct tp_facts *f, const struct tp_event *e,
                       const struct tp_track_view *view);
void tp_track_end_region(struct tp_tracker *t, struct tp_facts *f, const struct tp_event *e,
                         const struct tp_track_view *view);
// Ends the open regions of a goroutine whose life ends. is_cut: the trace does not show the end of the
// life.
void tp_track_close_regions(struct tp_tracker *t, struct tp_facts *f, struct tp_track_g *g,
                            int64_t end_ns, bool is_cut);
// Returns the legs of a view, joined to those of `g`, the record of the same goroutine in the adopting
// tracker. `g` NULL: the adopting tracker has no record of it.
struct tp_track_legs tp_track_legs_of(const struct tp_track_view *view,
                                      const struct tp_track_g *g);
// Gives out the longest of the legs, as that of a task that took `task_ns`.
void tp_track_put_leg(struct tp_tracker *t, struct tp_facts *f, const struct tp_track_legs *legs,
                      uint64_t task_ns, uint32_t name);
// Gives out a state or a CPU sample with labels, of which the caller knows no names, if that is wanted. Of a
// goroutine whose name may still change it is kept, until tp_track_put_late gives out what was kept. `g`
// NULL: no goroutine is known.
void tp_track_put_labelled(struct tp_tracker *t, struct tp_facts *f, struct tp_track_g *g,
                           struct tp_track_labelled l);
void tp_track_put_late(struct tp_tracker *t, struct tp_facts *f, struct tp_track_g *g);
// Empties the chain of the tasks that a goroutine began, because the goroutine ends. The tasks stay open.
void tp_track_leave_tasks(struct tp_tracker *t, struct tp_track_g *g);
// Give out the tasks, ranges and runs of Ps that are open when the trace ends.
void tp_track_cut_tasks(struct tp_tracker *t, struct tp_facts *f);
void tp_track_cut_ranges(struct tp_tracker *t, struct tp_facts *f);
void tp_track_cut_procs(struct tp_tracker *t, struct tp_facts *f);
// Returns the task of the goroutine's span that ends now (`task` in tracepipe/span.h).
uint64_t tp_track_task_of(const struct tp_tracker *t, const struct tp_track_g *g);
// Returns how long the world has been stopped up to an event at `time_ns`. While a tracker replays events
// of a speculation, the stops before the cut and those of the speculation add up.
uint64_t tp_track_stopped_ns(const struct tp_tracker *t, int64_t time_ns);
// Returns the mark of a running goroutine at `time_ns`.
struct tp_track_mark tp_track_mark_of(const struct tp_tracker *t, const struct tp_track_g *g,
                                      int64_t time_ns);

// THE COLLECTOR

// If the event is a step (gc_step.h) and changes no goroutine's state, gives out the step as a note.
void tp_track_gc(struct tp_tracker *t, struct tp_facts *f, const struct tp_event *e);
// Gives out a note of this kind about the goroutine, and updates its roles.
void tp_track_gc_note(struct tp_tracker *t, struct tp_facts *f, const struct tp_event *e,
                      struct tp_track_g *g, unsigned kind);

// Gives out a note if the change makes a goroutine that may have a role begin or cease to execute.
TP_INLINE void tp_track_note_exec(struct tp_tracker *t, struct tp_facts *f, const struct tp_event *e,
                                  struct tp_track_g *g, enum tp_state from, enum tp_state to)
{
    if (tp_gc_executes(from) != tp_gc_executes(to) && tp_unlikely(tp_gc_role_is_any(g->role)))
        tp_track_gc_note(t, f, e, g, tp_gc_executes(to) ? TP_GC_EXEC_BEGIN : TP_GC_EXEC_END);
}

// DEFERRED TO THE ADOPTING TRACKER

// Defers a change of the state of an unsettled goroutine, which may settle it, or the end of a settled
// goroutine that lived before the speculation.
void tp_track_defer_change(struct tp_tracker *t, struct tp_facts *f, const struct tp_event *e,
                           struct tp_track_g *g);
// Defer an event. tp_track_defer_event defers the event alone; tp_track_defer_event_of adds a view of the
// goroutine `g`, unless `g` is NULL or unsettled.
void tp_track_defer_event(struct tp_tracker *t, const struct tp_event *e);
void tp_track_defer_event_of(struct tp_tracker *t, const struct tp_event *e,
                             const struct tp_track_g *g);
// Defers who ended a wait of `g`. The waker left a wait of its own before it was settled, and only the
// adopting tracker knows whether that wait limits the blame.
void tp_track_defer_wake(struct tp_tracker *t, const struct tp_event *e,
                         const struct tp_track_g *g);
// Defers the note of the longest leg of a task that took `task_ns`. Call if the end of the task is the
// first task event that a speculative tracker sees of a settled goroutine: legs from before the
// speculation may then belong to the task.
void tp_track_defer_leg(struct tp_tracker *t, const struct tp_event *e,
                        const struct tp_track_legs *legs, uint32_t first_leg,
                        uint64_t task_ns, uint32_t name);
// Defers the end of a leg that began before the goroutine was settled.
void tp_track_defer_first_leg(struct tp_tracker *t, struct tp_track_g *g, int64_t end_ns,
                              uint32_t stack);
// Defers only the fact that the event's goroutine ended a stop of the world. The range of the stop is not
// deferred.
void tp_track_defer_stop(struct tp_tracker *t, const struct tp_event *e);
// Returns when the waker of the replayed event (t->replayed) last left a wait that counts by `rule`, or
// was created. TP_NEVER_NS: not known.
int64_t tp_track_waker_left_ns(struct tp_tracker *t, int64_t waker, enum tp_blame rule);

#endif
