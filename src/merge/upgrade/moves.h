// What the rules of the upgrader are made of; for upgrader.c and rules.c only. All return false if
// the order refuses an event; the events before that one have been given out.
#ifndef TP_MERGE_UPGRADE_MOVES_H
#define TP_MERGE_UPGRADE_MOVES_H

#include "merge/order/step.h"
#include "merge/upgrade/upgrader.h"

// Threads are named by their slots; this is no thread.
#define NO_THREAD TP_MAP_NONE

TP_INLINE uint32_t thread_with_p(const struct tp_upgrader *p, int64_t id)
{
    return tp_map_get(&p->m_of_p, (uint64_t)id);
}
TP_INLINE uint32_t thread_with_g(const struct tp_upgrader *p, int64_t id)
{
    return tp_map_get(&p->m_of_g, (uint64_t)id);
}
TP_INLINE const struct tp_binding *binding(const struct tp_upgrader *p, uint32_t m)
{
    return &p->order.ms.items[m].at;
}
// Status of a goroutine (G_...) and of a P (P_...); BAD: not known.
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

TP_INLINE int64_t tp_upgrader_time(const struct tp_upgrader *p, const struct tp_event *e)
{
    return e->time_ns <= TP_UPGRADER_TIME_MAX_NS ? e->time_ns + p->shift_ns : e->time_ns;
}

// Gives out an event of thread `m`, and before it the statuses that are due. Fills in
// counters. Its time is at least `time_ns`.
bool tp_upgrader_put(struct tp_upgrader *p, uint32_t m, uint8_t type, int64_t time_ns,
                     const uint64_t args[static TP_EVENT_ARGS]);
// The same for an event that the trace does not have. It comes shortly before the one that needs
// it: for that time a P lacks its goroutine, or a system call waits, though no event told so.
#define ADD(p, m, type, ...)                         \
    tp_upgrader_put(p, m, TP_EV_##type, (p)->added_ns, \
                    (const uint64_t[TP_EVENT_ARGS]){__VA_ARGS__})

void tp_upgrader_give_sample(struct tp_upgrader *p, int64_t time_ns,
                             const uint64_t args[static TP_EVENT_ARGS]);

// The slot of thread `id` if it may get a P, else of a made-up one. NO_THREAD: no memory.
uint32_t tp_upgrader_thread(struct tp_upgrader *p, int64_t id);

// The slot of the thread that has P `id`; if none has it, tp_upgrader_thread(m) gets it now.
// *ret_is_lent: the caller gives it back with tp_upgrader_return. NO_THREAD: it cannot be had.
uint32_t tp_upgrader_p(struct tp_upgrader *p, int64_t id, int64_t m, bool *ret_is_lent);
bool tp_upgrader_return(struct tp_upgrader *p, uint32_t m);

// Takes the P from its thread; a goroutine that runs there begins a system call before.
bool tp_upgrader_stop_p(struct tp_upgrader *p, uint32_t m, int64_t time_ns);
// Moves the P of `m` to another thread if a goroutine is on `m`; returns the thread that has the P
// then. NO_THREAD: it cannot.
uint32_t tp_upgrader_vacate(struct tp_upgrader *p, uint32_t m);

// The goroutine comes out of a system call that blocked.
bool tp_upgrader_exit(struct tp_upgrader *p, int64_t g, int64_t time_ns);
// Makes the goroutine runnable, whatever its status; false if it runs. `m` has a P.
bool tp_upgrader_make_runnable(struct tp_upgrader *p, int64_t g, uint32_t m);

// rules.c: gives out the events that `e` becomes.
bool tp_upgrader_apply(struct tp_upgrader *p, const struct tp_event *e);

#endif
