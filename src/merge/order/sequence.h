// The reader loop: generations in, ordered events out, as Go's reader would hand
// them out one by one (internal/trace/reader.go): Sync events, CPU samples, the
// frontier and its fall-back, times that never stand still.
//
//   begin(generation) ─ fill* until END ─ begin(next generation) ... ─ sync
//
// A sequencer belongs to one input and to one thread at a time; fill may stop and
// go on wherever the caller likes.
#ifndef TP_MERGE_ORDER_SEQUENCE_H
#define TP_MERGE_ORDER_SEQUENCE_H

#include "merge/order/cursor.h"
#include "merge/order/doubt.h"
#include "merge/order/frontier.h"
#include "merge/order/order.h"
#include "merge/order/waiting.h"
#include "merge/tables/block.h"

// What is done about events that the rules do not take.
enum tp_repair {
    TP_REPAIR_NEVER,   // the generation ends there
    TP_REPAIR_DOUBTS,  // nothing is missing: faults of the tracer (doubt.h) are taken
    TP_REPAIR_IF_TORN, // the same until its tables prove to be cut, then as the next
    TP_REPAIR_ALWAYS,  // it is known to have holes: they are taken all the same
};

struct tp_sequencer {
    struct tp_order order;
    struct tp_frontier frontier;
    struct tp_waiting waiting;   // instead of the frontier where many wait
    struct {
        size_t count;            // from so many on, at least 2
        size_t sort_count;       // and after so many sorts
    } waiting_from;              // tests have it at once
    uint64_t look_count;         // at threads out of turn, of the generation
    uint64_t tried_look_count;   // of these, before the last attempt to have them wait, or its end
    unsigned failed_try_count;   // one after the other
    struct tp_cursor *cursors;
    struct tp_run_event *ahead;  // room for what cursors decode in one go
    size_t ahead_count;
    size_t cursor_count;
    size_t cursor_capacity;
    size_t window_bytes;         // of all of them, at most
    struct tp_tables *tables;    // of the generation being ordered; one hold
    struct tp_batch_loader *loader;
    size_t sample_idx;
    int64_t sample_ns;           // of the next sample
    bool sync_is_due;            // the generation's first event
    int64_t sync_ns;
    int64_t last_ns;             // of the last event handed out
    uint64_t sync_count;
    enum tp_repair repair;
    uint64_t unknown_id_count;   // of the generation: events with ids the tables lack
    struct tp_doubts doubts;     // of all generations
    // With `strict`: what Go's printer would panic over is an error of the event.
    bool strict;
};

enum tp_fill_status {
    TP_FILL_MORE,   // no room left in the caller's array
    TP_FILL_END,    // the generation is done
    TP_FILL_BROKEN, // it cannot go on; the events before are handed out
};

// When the next CPU sample comes, TP_FRONTIER_NEVER if there is none.
TP_INLINE int64_t tp_sequencer_next_sample_ns(const struct tp_sequencer *s)
{
    return s->sample_idx < s->tables->sample_count ? s->tables->samples[s->sample_idx].time_ns
                                                   : TP_FRONTIER_NEVER;
}

void tp_sequencer_init(struct tp_sequencer *s, uint64_t max_state_bytes, bool strict);
void tp_sequencer_fini(struct tp_sequencer *s); // zeroed is fine

// What the next generation holds must not follow from what went before (something
// was lost between): it starts as a first one does. Times go on.
void tp_sequencer_forget(struct tp_sequencer *s);

// Opens a generation. `g` and its bodies must last until END, `tables` are held.
// `repair` is for reading without `strict`; ids that the tables lack are an error only
// with it. `decoded`: NULL, or one for each of g->ms, decoded before (see cursor.h).
// TP_E_EVENT or TP_E_ORDER: it cannot begin; TP_E_TOO_LARGE, TP_E_LIMIT, TP_E_MEMORY.
int tp_sequencer_begin(struct tp_sequencer *s, const struct tp_generation *g,
                       struct tp_tables *tables, enum tp_repair repair,
                       const struct tp_decoded_run *decoded, struct tp_batch_loader *loader,
                       struct tp_error *err) TP_MUST_USE;

// Whether the generation can be put in order to its end: does it once on a copy of the
// state, for nothing. The failures of begin and fill.
int tp_sequencer_rehearse(const struct tp_sequencer *s, const struct tp_generation *g,
                          struct tp_tables *tables, struct tp_batch_loader *loader,
                          struct tp_error *err) TP_MUST_USE;

// Writes up to `capacity` (at least TP_ORDER_STEP_EVENTS) events. BROKEN: TP_E_EVENT,
// TP_E_ORDER with Go's words, or a failure of the loader or of memory.
enum tp_fill_status tp_sequencer_fill(struct tp_sequencer *s, struct tp_event *events,
                                      size_t capacity, size_t *ret_count, struct tp_error *err);

// Memory of its states and cursors.
uint64_t tp_sequencer_bytes(const struct tp_sequencer *s);

// The Sync event that ends a trace or comes before the error that does; it has no
// tables.
void tp_sequencer_sync(struct tp_sequencer *s, struct tp_event *ret_event);

// The frontier is Go's, whoever waits.
void tp_sequencer_settle(struct tp_sequencer *s);

// Bytes of event batches of the open generation whose events were not handed out.
uint64_t tp_sequencer_left_bytes(const struct tp_sequencer *s);

#endif
