// Counts the events of a trace without building them: how many of each type and
// how many bytes they take in their shortest encoding (what Go's footprint
// counts), the last clock reading of a batch, and which goroutines and Ps are
// introduced. `stats` and `footprint` need these counts for every trace, so the code is
// written for speed.
//
// A tally is plain memory of one thread. Tallies add up: counts of any cut of a
// trace sum to the counts of the whole.
#ifndef TP_DECODE_TALLY_V2_H
#define TP_DECODE_TALLY_V2_H

#include "base/span.h"
#include "decode/event_v2.h"
#include "decode/spec.h"

// Counts by type. Zeroed is empty.
struct tp_tally {
    uint64_t count[TP_EVENT_CODES];
    uint64_t bytes[TP_EVENT_CODES];
};

// Called for events that introduce an id (see tp_tally_idents), which are rare.
typedef void (*tp_ident_fn)(void *ctx, uint8_t type, uint64_t id);

// Result for the bytes of one call.
struct tp_tally_result {
    enum tp_event_status status; // TP_EVENT_OK: all bytes were events
    size_t used_bytes;           // up to the first event that failed
    uint64_t dt_ticks;           // sum of the time deltas
};

// Counts the events in `bytes`. `on_ident` may be NULL.
struct tp_tally_result tp_tally_events(struct tp_tally *t, struct tp_span bytes,
                                       const struct tp_arg_table *table, tp_ident_fn on_ident,
                                       void *ctx);

// Adds the counts of `from`. Cannot fail.
void tp_tally_add(struct tp_tally *into, const struct tp_tally *from);

#endif
