// Puts the events of the Ps of a trace of Go 1.5 to 1.21 in order, as Go's reader does
// (internal/trace/internal/tracev1/order.go of Go 1.26, to the letter, because that code decides
// among equal times): the earliest of the ready events goes next. An event is ready if its
// goroutine is in the state that the event needs; sequence numbers choose among several such
// events.
// Before Go 1.7 all events are ready, and sequence numbers take the place of times; the result is
// that of Go 1.21's sort, if the numbers of each P rise. For the order before Go 1.5 see
// order_v0.h.
//
//   streams (a P each, CPU samples) ──next event ready?──▶ frontier (heap by time) ──▶ out
//
// Streams begin in ascending order of P, where Go's order is random; the samples come last. If
// the first walk recorded the stream of each event (trace->has_turns), later walks repeat it.
//
// With trace->is_legacy, ties are resolved as Go 1.20 and 1.21 do (internal/trace/order.go):
// streams are always asked in ascending order, and the frontier is an array, sorted anew
// (unstably) for each event; its last entry takes the place of the first.
//
// Belongs to one thread at a time.
#ifndef TP_MERGE_V1_ORDER_H
#define TP_MERGE_V1_ORDER_H

#include "base/slab.h"
#include "merge/v1/cursor.h"
#include "merge/v1/order_v0.h"

struct tp_v1_rule;

// The events of one P, or the CPU samples.
struct tp_v1_stream {
    struct tp_v1_cursor cursor; // must be the first member
    uint64_t key;               // if is_asked: of the state its next event needs (order.c)
    uint32_t slot;              // of the goroutine looked up last; TP_MAP_NONE: not known
    bool is_asked;              // false: the cursor has moved on since
};

// The state of one walk. Owns its memory; borrows the trace, which must outlive it.
struct tp_v1_order {
    const struct tp_v1_trace *trace;
    // The rules decide the order; false: times alone do, or trace->turns records it.
    bool is_by_rules;
    const struct tp_v1_rule *rules;   // by type of event (order.c)
    struct tp_v0_order by_time;       // before Go 1.5; then nothing below is used
    // The streams: those that may have a ready event, and those whose next event is ready.
    struct tp_v1_stream *streams;
    size_t stream_count;
    struct tp_v1_stream **available;  // streams that are not at their end and whose
    size_t available_count;           // next event is not in the frontier
    uint64_t waiting;                 // a bit for each key that streams wait for (bit_of)
    struct tp_v1_front {
        int64_t key;
        struct tp_v1_stream *stream;
    } *frontier;
    size_t frontier_count;
    int64_t goes_on_below;            // the last stream may go on while its keys are below this
    size_t ended_count;               // streams at their end
    // The last event: the state that it changed, and the stream that gave it.
    uint64_t changed_key;             // the goroutine whose state the last event may have changed
    uint64_t changed_bit;             // its bit as in `waiting`; 0: it changed no state
    struct tp_v1_stream *last;        // gave the last event; the next call advances it first
    uint32_t turn_count;              // items taken from trace->turns
    // States of goroutines as far as the order needs them, by key.
    TP_SLAB(struct tp_v1_g_order {
        uint64_t seq;
        uint64_t key;                 // the goroutine; KEY_NONE: the slot is free
        uint8_t status;
    }) gs;
};

// Opens all streams and moves each to its first event. Fails with TP_E_MEMORY or TP_E_TOO_LARGE, as
// tp_v1_cursor_advance does, or as tp_sorter_put does; fini may also follow a failure.
int tp_v1_order_begin(struct tp_v1_order *o, const struct tp_v1_trace *t,
                      struct tp_error *err) TP_MUST_USE;
void tp_v1_order_fini(struct tp_v1_order *o); // a zeroed one is fine

// Returns the bytes of the events after the next event of each stream, over all streams.
uint64_t tp_v1_order_left_bytes(const struct tp_v1_order *o);
// Returns the time of the earliest event that was not handed out, in ticks; INT64_MAX: there is none,
// or the trace orders events by numbers.
int64_t tp_v1_order_least_ticks(const struct tp_v1_order *o);

// Returns the stream of the event that was handed out last.
TP_INLINE uint32_t tp_v1_order_stream(const struct tp_v1_order *o)
{
    return (uint32_t)(o->last - o->streams);
}

// Sets *ret to the next event, with the type that Go shows (not a Local one). The event is valid,
// and the caller may change it, until the next call. END, also in all later calls: there is no
// further event. BAD: TP_E_ORDER with Go's words, TP_E_LIMIT, TP_E_MEMORY, TP_E_KERNEL if a spill
// cannot be read, TP_E_READ if the file was changed after the scan, or as tp_v1_cursor_advance;
// only tp_v1_order_left_bytes and fini may follow.
enum tp_cursor_status tp_v1_order_next(struct tp_v1_order *o, struct tp_v1_ordered **ret,
                                       struct tp_error *err);

#endif
