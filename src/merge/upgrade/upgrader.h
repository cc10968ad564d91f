// The way back from ordered events to the events of threads: gives each one, in order, to a
// thread that may have it, so that a reader of the wire form hands them out again in this
// order. Made for events whose order another model of the scheduler found, that of traces
// from before Go 1.22, which tells no threads where none is needed, and lets Ps go on where
// their goroutine sits in a system call.
//
// Whatever is placed goes through the rules of the order (merge/order/order.h), the same that Go's
// reader has, before it is given out. So nothing is that they refuse: what they refuse is
// left out, and counted. To make them agree there are
//
//   statuses        of what is heard of for the first time, in the first generation; in
//                   later ones also of who comes up first there, as the runtime writes them
//   made-up threads for Ps and system calls whose thread is not known or not free
//   moves of a P    to another thread, or to none and back: a stop and a start
//
//   upgrader.c  threads, statuses, moves
//   rules.c     what each event needs
//
// All events are of one set of tables. Belongs to one thread at a time.
#ifndef TP_MERGE_UPGRADE_UPGRADER_H
#define TP_MERGE_UPGRADE_UPGRADER_H

#include "base/list.h"
#include "merge/order/cursor.h"
#include "merge/order/order.h"

// Times go on from here, one nanosecond a step where they would stand still. Go's reader
// cannot tell times apart much beyond: it has them in doubles.
#define TP_UPGRADER_TIME_MAX_NS ((int64_t)1 << 52)
// The first made-up thread.
#define TP_UPGRADER_MADE_UP_M 1000000

// An event of a thread; CPU samples, which belong to none, are (stack, m, p, g).
struct tp_upgraded {
    int64_t m;               // -1: none
    uint32_t m_slot;         // small and dense, for m; TP_MAP_NONE: none
    struct tp_run_event event; // strings and stacks as they came
};

// More than one event ever becomes: a start has the most, its P, its goroutine and the one
// in its way being stopped, moved and told of before.
#define TP_UPGRADED_MAX 32

struct tp_upgrader {
    struct tp_order order;
    struct tp_map m_of_p;    // slots of threads, of Ps and goroutines that are bound to one
    struct tp_map m_of_g;
    TP_LIST(uint32_t) free_ms; // made-up ones; some may be bound again
    TP_LIST(bool) is_listed; // by slot: it is one of these
    int64_t next_m;          // the next to make up
    int64_t shift_ns;        // added to times
    int64_t last_ns;         // of what was given out
    int64_t added_ns;        // what is added comes no earlier, if there is time
    bool all_is_told;        // that was there before the trace
    uint64_t stopped_count;  // worlds that are stopped: one, but before Go 1.10 one a P
    uint64_t left_out_count;
    // Of the step.
    struct tp_upgraded *out;
    size_t out_count;
    struct tp_error *err;    // code 0, or what is not the fault of the event
};

// Times of the first generation begin at `begin_ns`, greater than 0, those of events are
// raised by `shift_ns`. `tables` are held. TP_E_MEMORY.
int tp_upgrader_begin(struct tp_upgrader *p, struct tp_tables *tables, int64_t begin_ns,
                      int64_t shift_ns, uint64_t max_bytes, struct tp_error *err) TP_MUST_USE;
void tp_upgrader_fini(struct tp_upgrader *p); // zeroed is fine

// What the event becomes; nothing at all for Sync events. TP_E_MEMORY, TP_E_LIMIT.
int tp_upgrader_event(struct tp_upgrader *p, const struct tp_event *e,
                      struct tp_upgraded out[static TP_UPGRADED_MAX], size_t *ret_count,
                      struct tp_error *err) TP_MUST_USE;

// Whether a generation may end here. Not where the world is stopped: the end of that has the
// string of its beginning, by its number there.
TP_INLINE bool tp_upgrader_may_turn(const struct tp_upgrader *p)
{
    return p->all_is_told && p->stopped_count == 0;
}

// Begins the next generation, where it may. Returns its begin, which no event has.
int64_t tp_upgrader_turn(struct tp_upgrader *p);

#endif
