// Counts of events by code, of all formats in one table: the codes of Go 1.22 and later as on the
// wire, those of before behind TP_TALLY_V1, where later traces have none.
//
//   code  0 .. 136                192 .. 255
//         events_v2.def           TP_TALLY_V1 + a code of events_v1.def
//
// A tally is plain memory of one thread. Tallies add up: counts of any cut of a trace sum to the
// counts of the whole, as long as no event is cut.
#ifndef TP_DECODE_TALLY_H
#define TP_DECODE_TALLY_H

#include "decode/spec.h"
#include "decode/spec_v1.h"

#define TP_TALLY_CODES 256
#define TP_TALLY_V1 (TP_TALLY_CODES - TP_V1_CODES)
_Static_assert(TP_EV_EXPERIMENTAL_END <= TP_TALLY_V1, "codes of both kinds have room");

// Zeroed is empty.
struct tp_tally {
    uint64_t count[TP_TALLY_CODES];
    uint64_t bytes[TP_TALLY_CODES]; // in the shortest encoding, as Go's footprint counts
};

struct tp_tally_code {
    const char *name; // NULL: no event has this code
    bool is_timed;    // it has a time: all but framing and tables
};

const struct tp_tally_code *tp_tally_code(unsigned code);

// What events tell about their trace beside their counts.
enum tp_ident {
    TP_IDENT_NONE,
    TP_IDENT_GOROUTINE, // introduces a goroutine
    TP_IDENT_PROC,      // a P that runs
    TP_IDENT_THREAD,    // a thread, where batches do not name theirs
    TP_IDENT_FREQUENCY, // clock units per second of the whole trace
};

// Called for events that tell something; they are rare.
typedef void (*tp_ident_fn)(void *ctx, enum tp_ident ident, uint64_t number);

struct tp_tally_result {
    size_t used_bytes;       // up to the first event that cannot be decoded
    uint64_t dt_ticks;       // sum of the time deltas, modulo 2^64
    uint64_t first_dt_ticks; // of the first event; only of extents before Go 1.22 that have_times
    // Whether any event has the time at which it happened. Before Go 1.22 a CPUSample has only the
    // time at which it was written, so it does not count; since then, whether the batch may have
    // such events.
    bool has_times;
};

// Adds the counts of `from`. Cannot fail.
void tp_tally_add(struct tp_tally *into, const struct tp_tally *from);

uint64_t tp_tally_strings(const struct tp_tally *t);
uint64_t tp_tally_stacks(const struct tp_tally *t);
uint64_t tp_tally_samples(const struct tp_tally *t);

#endif
