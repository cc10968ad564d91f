// The rules, and the helpers that they share. Only for the scheduler model (order.h), on the thread
// to which the order belongs.
//
//   rules_proc.c       Ps, and system calls, which bind Ps and goroutines
//   rules_goroutine.c  goroutines
//   rules_range.c      stopped world, mark assist, sweep, mark phase
//   rules_user.c       tasks, regions, logs, labels, metrics, experiments
#ifndef TP_MERGE_ORDER_RULES_H
#define TP_MERGE_ORDER_RULES_H

#include <string.h>

#include "decode/spec.h"
#include "merge/order/assumption.h"
#include "merge/order/cursor.h"
#include "merge/order/mistake.h"
#include "merge/order/state.h"
#include "merge/tables/event_shape.h"

// A rule decides about out[0], which holds the event in the context of its thread (m, p, g); `at`
// is that thread's binding. On TAKE the rule has changed the state, completed out[0], set
// o->made_count if it hands out more than one event, and changed *at to the new binding. On WAIT
// nothing has changed. On BROKEN *err is filled. `at` points into the table of threads, which may
// move when a thread is added: `at` must not be used after that.
typedef enum tp_verdict tp_rule_fn(struct tp_order *o, struct tp_event *out,
                                   struct tp_binding *at, struct tp_error *err);

// The rules. rules.c says which types of events each of them serves.
tp_rule_fn tp_rule_proc_status, tp_rule_proc_start, tp_rule_proc_stop, tp_rule_proc_steal;
tp_rule_fn tp_rule_go_syscall_begin, tp_rule_go_syscall_end, tp_rule_go_syscall_end_blocked;
tp_rule_fn tp_rule_go_destroy_syscall;
tp_rule_fn tp_rule_go_status, tp_rule_go_create, tp_rule_go_create_syscall, tp_rule_go_start;
tp_rule_fn tp_rule_go_stop_exec, tp_rule_go_unblock, tp_rule_go_switch;
tp_rule_fn tp_rule_range_begin, tp_rule_range_end;
tp_rule_fn tp_rule_assist_active, tp_rule_sweep_active, tp_rule_gc;
tp_rule_fn tp_rule_task_begin, tp_rule_task_end, tp_rule_region_begin, tp_rule_region_end;
tp_rule_fn tp_rule_annotation, tp_rule_heap_metric, tp_rule_experimental;

// Returns the binding of the thread, which is valid until the next thread is added. Gives the
// thread a slot if it has none yet; thread -1 gets none. The first call also sets
// o->first_generation. NULL after filling the error.
struct tp_binding *tp_order_meet(struct tp_order *o, int64_t m, uint32_t *m_slot,
                                 struct tp_error *err);
// Splits a switch into three events: out[0] unblocks the next goroutine, out[1] blocks or destroys
// the current goroutine, out[2] starts the next one. Sets o->made_count.
void tp_order_spread_switch(struct tp_order *o, struct tp_event *out);
// Prefetches the states of the goroutines that the next `count` events of a thread name, so that
// the cache misses overlap.
void tp_order_prefetch(const struct tp_order *o, const struct tp_run_event *events, size_t count);
// Least number of goroutines with which prefetching pays off: the states of fewer goroutines stay
// in the processor's near caches.
#define TP_ORDER_FAR_GOROUTINES 4096
// Fills the error for an event whose type has no rule.
void tp_order_bad_type(const struct tp_run_event *e, struct tp_error *err);

// The rule of each event type; NULL: there is no such event.
extern tp_rule_fn *const tp_order_rules[TP_EVENT_CODES];

// Return values of rules. TAKEN and WAIT count the row of the rule table in o->hits, BROKEN fills
// *err.
#define BROKEN(...) (tp_fail(err, TP_E_ORDER, __VA_ARGS__), TP_ORDER_BROKEN)
#define TAKEN(row) (o->hits[TP_RULE_##row]++, TP_ORDER_TAKE)
#define WAIT(row) (o->hits[TP_RULE_##row]++, TP_ORDER_WAIT)

// Values of the arguments pstatus and gstatus on the wire (internal/trace/tracev2), and Go's names
// for them.
enum { P_BAD, P_RUNNING, P_IDLE, P_SYSCALL, P_ABANDONED, P_STATUSES };
enum { G_BAD, G_RUNNABLE, G_RUNNING, G_SYSCALL, G_WAITING, G_STATUSES };
extern const char *const tp_p_status_names[P_STATUSES];
extern const char *const tp_g_status_names[G_STATUSES];

// Returns Go's name of the event's type, a constant.
TP_INLINE const char *name_of(const struct tp_event *e) { return tp_event_specs[e->type].name; }

// Returns whether the current generation is the one of the first event, in which events may
// introduce goroutines, Ps and ranges that existed before.
TP_INLINE bool is_first_generation(const struct tp_order *o)
{
    return o->generation == o->first_generation;
}

// Returns whether a goroutine, P or task met for the first time may have existed before.
TP_INLINE bool may_be_from_before(const struct tp_order *o)
{
    return is_first_generation(o) || o->begins_in_middle;
}

// Returns whether this is the order of a speculator, in which a goroutine, P or thread that is not
// known may have existed before (see assumption.h). If a speculator cannot even assume a state, the
// rules answer BROKEN; the message does not matter.
TP_INLINE bool is_assuming(const struct tp_order *o) { return tp_unlikely(o->assumptions != NULL); }

// Records an assumption if this is a speculator; false after filling the error.
TP_INLINE bool assumption(struct tp_order *o, enum tp_assumption_kind kind, uint64_t id,
                          uint64_t value, struct tp_error *err)
{
    return !is_assuming(o) ||
           tp_assumption_add(
               o, (struct tp_assumption){.id = id, .value = value, .kind = (uint8_t)kind}, err);
}
// Ends the speculation at an event whose effect depends on a state that cannot be assumed.
#define UNKNOWN_BEFORE BROKEN("the state before is unknown")

// Returns whether `count` is the immediate successor of `seq`. A counter of another generation has
// no successor.
TP_INLINE bool succeeds(const struct tp_order *o, uint64_t count, const struct tp_seq *seq)
{
    return seq->generation == o->generation && count == seq->count + 1;
}

// Returns the goroutine `id`, valid until a goroutine is added. NULL unless its status is `status`
// and its counter one before `count`.
TP_INLINE struct tp_g_state *next_g(struct tp_order *o, uint64_t id, uint8_t status, uint64_t count)
{
    uint32_t slot = tp_order_g(o, (int64_t)id);
    if (tp_unlikely(slot == TP_MAP_NONE))
        return NULL;
    struct tp_g_state *g = &o->gs.items[slot];
    return tp_likely(g->status == status && succeeds(o, count, &g->seq)) ? g : NULL;
}

// Counts the open regions of a goroutine that the event ends, which are mistakes.
TP_INLINE void count_open(struct tp_order *o, const struct tp_g_state *g, const struct tp_event *e)
{
    if (tp_unlikely(g->region != 0) && o->doubts != NULL)
        tp_order_mistake_open(o, g, e);
}

// Requirements of an event. An event has one for each of M, P and goroutine: the event's context
// must have it (MUST), must not have it (MUST_NOT), or may have it (ANY).
enum tp_requirement { ANY, MUST, MUST_NOT };
// Fills the error with Go's message about the requirement that the context of `e` does not meet.
void tp_context_complain(const struct tp_event *e, enum tp_requirement m, enum tp_requirement p,
                         enum tp_requirement g, struct tp_error *err);

// Returns whether `id`, -1 for none, meets the requirement.
TP_INLINE bool fits(enum tp_requirement requirement, int64_t id)
{
    return requirement == ANY || (requirement == MUST) == (id != -1);
}
// Checks the context of `e`. False after filling the error.
TP_INLINE bool tp_context_check(const struct tp_event *e, enum tp_requirement m,
                                enum tp_requirement p, enum tp_requirement g, struct tp_error *err)
{
    if (tp_likely(fits(m, e->m) && fits(p, e->p) && fits(g, e->g)))
        return true;
    tp_context_complain(e, m, p, g, err);
    return false;
}

// Checks that the thread has a P and a goroutine: the event comes from user code.
TP_INLINE bool has_user(const struct tp_event *e, struct tp_error *err)
{
    return tp_context_check(e, MUST, MUST, MUST, err);
}
// Checks that the thread has a P, with or without a goroutine.
TP_INLINE bool has_proc(const struct tp_event *e, struct tp_error *err)
{
    return tp_context_check(e, MUST, MUST, ANY, err);
}

// Returns the state of the thread's goroutine, whose status must be `status`; NULL after filling
// the error. The pointer is valid until a goroutine is added.
struct tp_g_state *tp_current_g(struct tp_order *o, const struct tp_event *e,
                                const struct tp_binding *at, uint8_t status, struct tp_error *err);
// Returns the state of the thread's P; NULL after filling the error. The pointer is valid until a
// P is added.
struct tp_p_state *tp_current_p(struct tp_order *o, const struct tp_event *e,
                                const struct tp_binding *at, struct tp_error *err);

// Binds the thread to the goroutine in this slot. -1 and TP_MAP_NONE: the thread has no goroutine
// afterwards.
TP_INLINE void bind_g(struct tp_binding *at, int64_t id, uint32_t slot)
{
    at->g = id;
    at->g_slot = slot;
}

// Binds the thread to the P in this slot. -1 and TP_MAP_NONE: the thread has no P afterwards.
TP_INLINE void bind_p(struct tp_binding *at, int64_t id, uint32_t slot)
{
    at->p = id;
    at->p_slot = slot;
}

// Records that the event, one of a mark phase, has been taken.
TP_INLINE void set_gc(struct tp_order *o, const struct tp_event *e)
{
    o->gc_seq = tp_arg(e, GC, seq);
    o->gc_state = e->type == TP_EV_GCEnd ? TP_GC_NOT_RUNNING : TP_GC_RUNNING;
}

// Sets *out to the event `e` of a run, in the context of its thread `m`, whose binding is `at`.
TP_INLINE void set_event(struct tp_event *out, const struct tp_run_event *e, int64_t m,
                         const struct tp_binding *at)
{
    out->time_ns = e->time_ns;
    out->m = m;
    out->p = at->p;
    out->g = at->g;
    memcpy(out->args, e->args, sizeof out->args);
    out->type = e->type;
    out->is_displaced = false;
    out->wire_bytes = e->wire_bytes;
}

// Returns an event that is not on the wire, in the context and at the time of `like`.
TP_INLINE struct tp_event synthetic(const struct tp_event *like, uint8_t type)
{
    return (struct tp_event){
        .time_ns = like->time_ns, .m = like->m, .p = like->p, .g = like->g, .type = type};
}

#endif
