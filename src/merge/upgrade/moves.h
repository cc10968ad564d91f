// Building blocks of the upgrader's rules; for upgrader.c and rules.c only, and only during
// tp_upgrader_event. A tp_upgrader_ function that returns bool or a thread fails if the rules of
// the order refuse an event, if there is too little memory, or if the order has reached its limit.
// Then it returns false or NO_THREAD; except after a refusal it also sets *p->err. The events given
// out before the failure stay given out.
#ifndef TP_MERGE_UPGRADE_MOVES_H
#define TP_MERGE_UPGRADE_MOVES_H

#include "merge/order/step.h"
#include "merge/upgrade/upgrader.h"

// A thread is identified by its slot in p->order.ms; this value means no thread.
#define NO_THREAD TP_MAP_NONE

// Returns the thread to which a P is bound; thread_with_g does so for a goroutine. NO_THREAD: none.
TP_INLINE uint32_t thread_with_p(const struct tp_upgrader *p, int64_t id)
{
    return tp_map_get(&p->m_of_p, (uint64_t)id);
}
TP_INLINE uint32_t thread_with_g(const struct tp_upgrader *p, int64_t id)
{
    return tp_map_get(&p->m_of_g, (uint64_t)id);
}
// Returns the P and the goroutine bound to a thread, each -1 if there is none. Valid until the next
// thread is added.
TP_INLINE const struct tp_binding *binding(const struct tp_upgrader *p, uint32_t m)
{
    return &p->order.ms.items[m].at;
}
// Return the status of a goroutine (G_...) or of a P (P_...); G_BAD or P_BAD: it is not known.
TP_INLINE uint8_t g_status(const struct tp_upgrader *p, int64_t id)
{
    uint32_t slot = tp_order_g(&p->order, id);
    return slot != TP_MAP_NONE ? p->order.gs.items[slot].status : (uint8_t)G_BAD;
}
TP_INLINE uint8_t p_status(const struct tp_upgrader *p, int64_t id)
{
    uint32_t slot = tp_order_p(&p->order, id);
    return slot != TP_MAP_NONE ? p->order.ps.items[slot].status : (uint8_t)P_BAD;
}

// Returns the time at which to give out an event: its own, shifted. Times above
// TP_UPGRADER_TIME_MAX_NS are not shifted, as tp_upgrader_put replaces them.
TP_INLINE int64_t tp_upgrader_time(const struct tp_upgrader *p, const struct tp_event *e)
{
    return e->time_ns <= TP_UPGRADER_TIME_MAX_NS ? e->time_ns + p->shift_ns : e->time_ns;
}

// Gives out an event of thread `m`, after the statuses that it needs in this generation. Fills in
// the event's counters; copies `args`. Its time is `time_ns`, or later if an event at or after that
// time has been given out.
bool tp_upgrader_put(struct tp_upgrader *p, uint32_t m, uint8_t type, int64_t time_ns,
                     const uint64_t args[static TP_EVENT_ARGS]);
// Gives out an event that the trace does not have, as tp_upgrader_put does, a few nanoseconds
// before the event that needs it. In these nanoseconds a P may lack its goroutine, or a system call
// may wait, although no event of the trace shows this.
#define ADD(p, m, type, ...)                         \
    tp_upgrader_put(p, m, TP_EV_##type, (p)->added_ns, \
                    (const uint64_t[TP_EVENT_ARGS]){__VA_ARGS__})
// Gives out an event in place of the event `e` of the trace, at the time of `e`.
#define PUT_AS(p, e, m, type, ...)                                                                 \
    tp_upgrader_put(p, m, TP_EV_##type, tp_upgrader_time(p, e),                                    \
                    (const uint64_t[TP_EVENT_ARGS]){__VA_ARGS__})

// Gives out an event that has passed the rules, or a CPU sample, which belongs to no thread and
// passes no rules. If its time is not after that of the previous event, the time moves to one
// nanosecond after it. Cannot fail.
void tp_upgrader_give_out(struct tp_upgrader *p, int64_t m, uint32_t m_slot,
                          struct tp_run_event event);

// Returns thread `id` if it has no P, so that it may get one; else, or if `id` is below 0, a
// made-up thread. NO_THREAD: there is no memory, or the order has reached its limit.
uint32_t tp_upgrader_thread(struct tp_upgrader *p, int64_t id);

// Returns the thread that has P `id`. If no thread has the P, gives it to the thread that
// tp_upgrader_thread(p, m) returns, where `m` is a thread id. Sets *ret_is_lent if that thread is
// made up for one event; after the event, the caller must call tp_upgrader_return. NO_THREAD: no
// thread can have this P.
uint32_t tp_upgrader_p(struct tp_upgrader *p, int64_t id, int64_t m, bool *ret_is_lent);
// Takes a lent P from thread `m` again, unless a goroutine is on the thread by now.
bool tp_upgrader_return(struct tp_upgrader *p, uint32_t m);

// Takes the P from thread `m`; a goroutine that runs there begins a system call first.
bool tp_upgrader_stop_p(struct tp_upgrader *p, uint32_t m, int64_t time_ns);
// If a goroutine is on `m`, moves the P of `m` to a made-up thread. Returns the thread that has the
// P afterwards. NO_THREAD: `m` has a goroutine but no P, the P cannot be moved, or `m` is
// NO_THREAD.
uint32_t tp_upgrader_vacate(struct tp_upgrader *p, uint32_t m);

// Ends the system call of a goroutine as one that blocked. If the goroutine's thread still has the
// P, takes the P away before the end of the system call, and gives the P back afterwards.
bool tp_upgrader_exit(struct tp_upgrader *p, int64_t g, int64_t time_ns);
// Makes the goroutine runnable, unless it is running. If the goroutine is not known, creates it on
// thread `m`, which must have a P. False: the goroutine is running, or a failure (see the head of
// this file).
bool tp_upgrader_make_runnable(struct tp_upgrader *p, int64_t g, uint32_t m);

// Gives out the events that `e` becomes (rules.c). False: `e` is left out.
bool tp_upgrader_apply(struct tp_upgrader *p, const struct tp_event *e);

#endif
