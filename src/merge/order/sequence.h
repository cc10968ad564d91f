// The sequencer: takes generations one by one and hands out their events in order, exactly as Go's
// reader would (internal/trace/reader.go): with the same Sync events and CPU samples, the same
// order of events with equal times, and strictly rising times.
//
//   begin(generation) ─ fill* until END ─ begin(next generation) ... ─ sync
//
// A sequencer belongs to one input, and to one thread at a time. Between two calls of fill the
// caller may pause, and continue later on another thread.
#ifndef TP_MERGE_ORDER_SEQUENCE_H
#define TP_MERGE_ORDER_SEQUENCE_H

#include "merge/order/cursor.h"
#include "merge/order/doubt.h"
#include "merge/order/frontier.h"
#include "merge/order/order.h"
#include "merge/order/waiting.h"
#include "merge/tables/block.h"

// The sequencer's policy for events that the rules refuse.
enum tp_repair {
    TP_REPAIR_NEVER,   // the generation ends before such an event
    TP_REPAIR_DOUBTS,  // no event is missing: take only faults of the tracer (doubt.h)
    TP_REPAIR_IF_TORN, // as DOUBTS until an id is missing in the tables, then as ALWAYS
    // No event is missing, but what was before the generation is not known: take all refused
    // events; mistakes of annotations are doubts.
    TP_REPAIR_MIDDLE,
    TP_REPAIR_ALWAYS,  // the generation is known to have holes: take all refused events
};

// The sequencer owns its states, arrays and cursors until fini; the arrays and cursors are reused
// from generation to generation. It borrows the generation, the loader, the bodies of the batches
// and the parts of decoded runs until END or the next begin.
struct tp_sequencer {
    struct tp_order order;
    struct tp_frontier frontier;
    struct tp_waiting waiting;   // replaces the frontier while many threads wait
    // The thresholds for using `waiting`; tests change them.
    struct {
        size_t count;            // least number of threads, at least 2
        size_t sort_count;       // number of sorts of the frontier before `waiting` is tried
    } waiting_from;
    uint64_t look_count;         // cursors examined while an earlier one waits, in this generation
    uint64_t tried_look_count;   // look_count when `waiting` was last tried or left
    unsigned failed_try_count;   // failed attempts in a row to enter `waiting`
    // The cursors of the open generation, one for each thread, and their memory.
    struct tp_cursor *cursors;
    struct tp_run_event *ahead;  // events that the cursors have decoded ahead
    size_t ahead_count;
    size_t cursor_count;
    size_t cursor_capacity;
    size_t window_bytes;         // maximum size of all windows of cursors together
    struct tp_tables *tables;    // of the generation being ordered; one hold
    struct tp_batch_loader *loader;
    // The next CPU sample: its index in the tables, and its time (TP_FRONTIER_NEVER if there is
    // none).
    size_t sample_idx;
    int64_t sample_ns;
    bool sync_is_due;            // the Sync event that begins the generation must be handed out
    int64_t sync_ns;             // time of that Sync event
    int64_t last_ns;             // of the last event handed out
    uint64_t sync_count;         // Sync events handed out, in all generations
    enum tp_repair repair;
    uint64_t unknown_id_count;   // ids of this generation's events that the tables lack
    struct tp_doubts doubts;     // of all generations
    uint64_t timed_doubt_count;  // doubts whose time is that of the event as it was handed out
    // True: an event on which Go's printer would panic is an error.
    bool strict;
};

// Result of a call of fill.
enum tp_fill_status {
    TP_FILL_MORE,   // the caller's array is full
    TP_FILL_END,    // all events of the generation were handed out
    TP_FILL_BROKEN, // the next event cannot be ordered; those before it were handed out
};

// Returns the time of the next CPU sample, TP_FRONTIER_NEVER if there is none.
TP_INLINE int64_t tp_sequencer_next_sample_ns(const struct tp_sequencer *s)
{
    return s->sample_idx < s->tables->samples.count
               ? s->tables->samples.items[s->sample_idx].time_ns
               : TP_FRONTIER_NEVER;
}

// Changes the policy for the next events, and whether the rules count mistakes of annotations.
TP_INLINE void tp_sequencer_set_repair(struct tp_sequencer *s, enum tp_repair repair)
{
    bool doubts = repair == TP_REPAIR_DOUBTS || repair == TP_REPAIR_IF_TORN ||
                  repair == TP_REPAIR_MIDDLE;
    s->repair = repair;
    s->order.doubts = doubts ? &s->doubts : NULL;
}

// Initializes a sequencer without a generation; allocates nothing. `max_state_bytes` limits the
// memory of the states of goroutines, Ps and threads.
void tp_sequencer_init(struct tp_sequencer *s, uint64_t max_state_bytes, bool strict);
// Frees all memory and releases the tables. A zeroed sequencer is fine.
void tp_sequencer_fini(struct tp_sequencer *s);

// Opens a generation. `g` and the bodies of its batches must last until END; the sequencer
// takes its own hold of `tables`. Only a strict sequencer fails for an id that the tables lack.
// `decoded`: NULL, or an array with one decoded run for each of g->ms (see cursor.h). The
// caller owns the array, which is used during the call only, and the parts of the decoded runs,
// which must last until END. Fails with TP_E_EVENT or TP_E_ORDER if the generation cannot
// begin, with TP_E_TOO_LARGE, TP_E_LIMIT or TP_E_MEMORY, or as the loader does; fill must not
// be called then.
int tp_sequencer_begin(struct tp_sequencer *s, const struct tp_generation *g,
                       struct tp_tables *tables, enum tp_repair repair,
                       const struct tp_decoded_run *decoded, struct tp_batch_loader *loader,
                       struct tp_error *err) TP_MUST_USE;

// Tests whether the generation can be ordered to its end: orders it on a copy of the states and
// discards the events; `s` stays unchanged. Fails as begin and fill do.
int tp_sequencer_rehearse(const struct tp_sequencer *s, const struct tp_generation *g,
                          struct tp_tables *tables, struct tp_batch_loader *loader,
                          struct tp_error *err) TP_MUST_USE;

// Writes the next events of the open generation, up to `capacity`, which is at least
// TP_ORDER_STEP_EVENTS. *ret_count is set whatever the status. BROKEN: *err has TP_E_EVENT,
// TP_E_ORDER with Go's message, TP_E_LIMIT, TP_E_MEMORY, or the loader's failure; fill must not be
// called again before the next begin.
enum tp_fill_status tp_sequencer_fill(struct tp_sequencer *s, struct tp_event *events,
                                      size_t capacity, size_t *ret_count, struct tp_error *err);

// Returns the bytes of memory of the states and cursors.
uint64_t tp_sequencer_bytes(const struct tp_sequencer *s);

// Writes the Sync event that ends a trace, or that precedes the error that ends it. The event
// refers to no tables.
void tp_sequencer_sync(struct tp_sequencer *s, struct tp_event *ret_event);

// Ends the mode in which waiting cursors are kept apart (waiting.h), if it is active. Afterwards
// the frontier is in the state in which Go's frontier would be at this event.
void tp_sequencer_settle(struct tp_sequencer *s);

// Returns the wire bytes of the open generation's events that were not handed out; 0 if no
// generation is open.
uint64_t tp_sequencer_left_bytes(const struct tp_sequencer *s);

#endif
