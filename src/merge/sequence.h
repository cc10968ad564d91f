// The reader loop: generations in, ordered events out, as Go's reader would hand
// them out one by one (internal/trace/reader.go): Sync events, CPU samples, the
// frontier and its fall-back, times that never stand still.
//
//   begin(generation) ─ fill* until END ─ begin(next generation) ... ─ sync
//
// A sequencer belongs to one input and to one thread at a time; fill may stop and
// go on wherever the caller likes.
#ifndef TP_MERGE_SEQUENCE_H
#define TP_MERGE_SEQUENCE_H

#include "merge/block.h"
#include "merge/cursor.h"
#include "merge/frontier.h"
#include "merge/order.h"

// What is done about events that the rules do not take.
enum tp_repair {
    TP_REPAIR_NEVER,   // the generation ends there
    TP_REPAIR_IF_TORN, // they are taken all the same once its tables prove to be cut
    TP_REPAIR_ALWAYS,  // it is known to have holes
};

struct tp_sequencer {
    struct tp_order order;
    struct tp_frontier frontier;
    struct tp_cursor *cursors;
    size_t cursor_count;
    size_t cursor_capacity;
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
    // With `strict`: what Go's printer would panic over is an error of the event.
    bool strict;
};

enum tp_fill_status {
    TP_FILL_MORE,   // no room left in the caller's array
    TP_FILL_END,    // the generation is done
    TP_FILL_BROKEN, // it cannot go on; the events before are handed out
};

void tp_sequencer_init(struct tp_sequencer *s, uint64_t max_state_bytes, bool strict);
void tp_sequencer_fini(struct tp_sequencer *s); // zeroed is fine

// What the next generation holds must not follow from what went before (something
// was lost between): it starts as a first one does. Times go on.
void tp_sequencer_forget(struct tp_sequencer *s);

// Opens a generation. `g` and its bodies must last until END, `tables` are held.
// `repair` is for reading without `strict`; ids that the tables lack are an error only
// with it. `decoded`: NULL, or one for each of g->ms, decoded before (see cursor.h).
// TP_E_EVENT or TP_E_ORDER: it cannot begin; TP_E_TOO_LARGE, TP_E_MEMORY.
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

// The Sync event that ends a trace or comes before the error that does; it has no
// tables.
void tp_sequencer_sync(struct tp_sequencer *s, struct tp_event *ret_event);

// Bytes of event batches of the open generation whose events were not handed out.
uint64_t tp_sequencer_left_bytes(const struct tp_sequencer *s);

#endif
