// Counts the events of traces from before Go 1.22 without building them, as tally_v2.h does
// those of later ones: how many of each type, how many bytes in their shortest encoding, and
// how far they move the clock of their batch.
//
// A tally is plain memory of one thread. Tallies add up, as long as no event is cut.
#ifndef TP_DECODE_TALLY_V1_H
#define TP_DECODE_TALLY_V1_H

#include "decode/event_v1.h"

// Counts by type. Zeroed is empty.
struct tp_v1_tally {
    uint64_t count[TP_V1_CODES];
    uint64_t bytes[TP_V1_CODES];
};

// Called for three types of event, with one number of theirs: Frequency its value, GoCreate
// the goroutine, ProcStart the thread (from Go 1.5 on).
typedef void (*tp_v1_ident_fn)(void *ctx, uint8_t type, uint64_t number);

// Result for one run or part of a batch.
struct tp_v1_tally_result {
    enum tp_v1_status status; // TP_V1_OK: all bytes were events
    size_t used_bytes;        // up to the first event that failed
    uint64_t dt_ticks;        // sum of the time deltas, modulo 2^64
    // Whether any event has the time at which it happened. A CPUSample has only the time at which
    // it was written, so it does not count.
    bool has_times;
};

// Adds the events of a run (scan_v1.h), or of any part of a batch. `on_ident` may be NULL.
struct tp_v1_tally_result tp_v1_tally_events(struct tp_v1_tally *t, struct tp_span bytes,
                                             const struct tp_v1_table *table,
                                             tp_v1_ident_fn on_ident, void *ctx);

// Adds the counts of `from`. Cannot fail.
void tp_v1_tally_add(struct tp_v1_tally *into, const struct tp_v1_tally *from);

#endif
