// Distributes ordered events over threads again: gives each event, in order, to a thread on which
// the rules of the scheduler allow it, so that a reader of the resulting trace returns the events
// in the same order. The events come from traces from before Go 1.22, whose model of the scheduler
// differs: it names no thread if none is needed, and lets a P run on while its goroutine is in a
// system call.
//
// Before an event is given out, it must pass the rules of the order (merge/order/order.h), which
// are those of Go's reader. An event that the rules refuse is left out and counted. So that the
// rules accept as many events as possible, the upgrader adds
//
//   statuses        in the first generation, of each P and goroutine when it first appears; in
//                   later generations, of each P and goroutine at its first event in the
//                   generation, as the runtime writes them
//   made-up threads for Ps and system calls whose thread is not known or not free
//   moves of a P    to another thread, or to none and back: a stop and a start
//
//   upgrader.c  threads, statuses, moves
//   rules.c     the rule of each type of event
//
// All events refer to the strings and stacks of the same tables. An upgrader belongs to one thread
// at a time.
#ifndef TP_MERGE_UPGRADE_UPGRADER_H
#define TP_MERGE_UPGRADE_UPGRADER_H

#include "base/list.h"
#include "merge/order/cursor.h"
#include "merge/order/order.h"

// Above this time, each event comes one nanosecond after the previous one. Go's reader cannot
// distinguish times much above it, because it stores them in doubles.
#define TP_UPGRADER_TIME_MAX_NS ((int64_t)1 << 52)
// Id of the first made-up thread.
#define TP_UPGRADER_MADE_UP_M 1000000

// An event that is given out; a plain value. A CPU sample belongs to no thread; its arguments are
// stack, m, p, g.
struct tp_upgraded {
    int64_t m;               // -1: none
    uint32_t m_slot;         // small dense index of m; TP_MAP_NONE: none
    struct tp_run_event event; // with the string and stack ids of the input
};

// Upper bound on the number of events that one old event becomes. The start of a goroutine becomes
// the most events: its P, the goroutine, and any goroutine that occupies the P must first be
// stopped, moved and given statuses.
#define TP_UPGRADED_MAX 32

// The state of the upgrade of one input. Owns its memory and a reference to the tables.
struct tp_upgrader {
    struct tp_order order;
    struct tp_map m_of_p;    // slot of the thread that a P or a goroutine is bound to
    struct tp_map m_of_g;
    TP_LIST(uint32_t) free_ms; // slots of made-up threads given back; some may be bound again
    TP_LIST(bool) is_listed; // by slot of a thread: it is in free_ms
    int64_t next_m;          // id of the next made-up thread
    int64_t shift_ns;        // added to the times of events
    int64_t last_ns;         // time of the last event given out
    int64_t added_ns;        // earliest time of events added for the current event
    bool all_is_known;       // the events that give the state from before the trace have passed
    uint64_t stopped_count;  // stops of the world not ended: at most 1; before Go 1.10, one per P
    uint64_t left_out_count; // events that the rules refused
    // Valid during tp_upgrader_event only.
    struct tp_upgraded *out;
    size_t out_count;
    struct tp_error *err;    // code 0, or an error other than the refusal of an event
};

// Prepares an upgrader before the first event. The first generation begins at the time `begin_ns`,
// greater than 0; `shift_ns` is added to the times of events; the order keeps at most `max_bytes`.
// Takes a reference to `tables`, which fini releases. Fails with TP_E_MEMORY; fini may also follow
// a failure.
int tp_upgrader_begin(struct tp_upgrader *p, struct tp_tables *tables, int64_t begin_ns,
                      int64_t shift_ns, uint64_t max_bytes, struct tp_error *err) TP_MUST_USE;
void tp_upgrader_fini(struct tp_upgrader *p); // a zeroed upgrader is fine

// Sets the first *ret_count items of `out` to the events that `e` becomes; none for a Sync. If the
// rules refuse the event, counts `e` as left out and returns 0; the items of `out` are then the
// events that the upgrader had already added for `e`, perhaps none. Fails with TP_E_MEMORY or
// TP_E_LIMIT; `out` then has the events given out before the failure, and only tp_upgrader_fini may
// follow.
int tp_upgrader_event(struct tp_upgrader *p, const struct tp_event *e,
                      struct tp_upgraded out[static TP_UPGRADED_MAX], size_t *ret_count,
                      struct tp_error *err) TP_MUST_USE;

// Returns whether a generation may end before the next event. It may not while the world is
// stopped, because the event that ends the stop names a string of the event that began the stop, by
// the id of the string in that generation.
TP_INLINE bool tp_upgrader_may_turn(const struct tp_upgrader *p)
{
    return p->all_is_known && p->stopped_count == 0;
}

// Begins the next generation; tp_upgrader_may_turn must hold. Returns the time at which the
// generation begins, in nanoseconds; all its events are later.
int64_t tp_upgrader_turn(struct tp_upgrader *p);

#endif
