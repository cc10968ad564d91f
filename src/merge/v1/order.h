// Puts the events of the Ps of a trace of Go 1.5 to 1.21 in order, as Go's reader does
// (internal/trace/internal/tracev1/order.go of Go 1.26, to the letter, because it decides
// among equal times): the earliest event of those that are ready goes next. An event is ready
// if its goroutine is where the event needs it; sequence numbers say which of several.
// Before Go 1.7 all events are ready, and their sequence numbers stand for times: as Go 1.21
// sorts them, if those of each P rise. Before Go 1.5 it is another order altogether (order_v0.h).
//
//   streams (a P each, CPU samples) ──next event ready?──▶ frontier (heap by time) ──▶ out
//
// Streams begin in ascending order of P, where Go's order is random, the samples last. Once
// it is known whose turn it was (trace->has_turns), a walk goes by that.
//
// Where the events themselves are wanted, ties are those of Go 1.20 and 1.21
// (internal/trace/order.go): streams are always asked in ascending order, and the frontier is
// an array, sorted anew (unstably) for each event, whose last entry takes the first one's place.
//
// Belongs to one thread at a time.
#ifndef TP_MERGE_V1_ORDER_H
#define TP_MERGE_V1_ORDER_H

#include "merge/v1/cursor.h"
#include "merge/v1/order_v0.h"

struct tp_v1_rule;

struct tp_v1_stream {
    struct tp_v1_cursor cursor; // first
    uint64_t key;               // what its next event waits for, if is_asked: see order.c
    uint32_t slot;              // of the goroutine looked up last, if it is there
    bool is_asked;              // false: the cursor has moved on
};

struct tp_v1_order {
    const struct tp_v1_trace *trace;
    // Whether its order is to be found, and is neither that of times alone nor told by turns that
    // are known.
    bool is_by_rules;
    const struct tp_v1_rule *rules;   // by type of event (order.c)
    struct tp_v0_order by_time;       // before Go 1.5: all there is to it
    struct tp_v1_stream *streams;
    size_t stream_count;
    struct tp_v1_stream **available;  // those whose next event is not in the frontier,
    size_t available_count;           // and that are not at their end
    uint64_t waiting;                 // a bit for the key of each (order.c)
    struct tp_v1_front {
        int64_t key;
        struct tp_v1_stream *stream;
    } *frontier;
    size_t frontier_count;
    int64_t goes_on_below;            // the stream that went last may go on with earlier keys
    size_t ended_count;
    uint64_t changed_key;             // whose state the last event may have changed,
    uint64_t changed_bit;             // and its bit as in `waiting`; 0: nobody's
    struct tp_v1_stream *last;        // whose event was handed out last: it moves on first
    uint32_t turn_count;              // of trace->turns, taken
    struct tp_map gs_by_id;
    TP_LIST(struct tp_v1_g_order {
        uint64_t key;                 // the goroutine; KEY_NONE: free
        uint64_t seq;                 // of a free one: the next free one + 1
        uint8_t status;
    }) gs;
    uint32_t free_g_plus_1;
};

int tp_v1_order_begin(struct tp_v1_order *o, const struct tp_v1_trace *t,
                      struct tp_error *err) TP_MUST_USE;
void tp_v1_order_fini(struct tp_v1_order *o); // zeroed is fine

// Bytes of events behind the next ones of all streams.
uint64_t tp_v1_order_left_bytes(const struct tp_v1_order *o);

// The stream of the event that was handed out last.
TP_INLINE uint32_t tp_v1_order_stream(const struct tp_v1_order *o)
{
    return (uint32_t)(o->last - o->streams);
}

// The next event, of the type that Go shows (not a Local one). The event is the caller's until
// the next call. BAD: the error has Go's words.
enum tp_cursor_status tp_v1_order_next(struct tp_v1_order *o, struct tp_v1_ordered **ret,
                                       struct tp_error *err);

#endif
