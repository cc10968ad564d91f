// Counts of events by code, with the events of all formats in one table: codes of Go 1.22 and later
// as on the wire, older codes from TP_TALLY_V1 on, where later traces have none.
//
//   code  0 .. 136                192 .. 255
//         events_v2.def           TP_TALLY_V1 + a code of events_v1.def
//
// A tally is plain memory of one thread. Tallies can be added: if a trace is cut between events,
// the tallies of the pieces sum to the tally of the whole.
#ifndef TP_DECODE_TALLY_H
#define TP_DECODE_TALLY_H

#include "decode/spec.h"
#include "decode/spec_v1.h"

#define TP_TALLY_CODES 256
#define TP_TALLY_V1 (TP_TALLY_CODES - TP_V1_CODES)
_Static_assert(TP_EV_EXPERIMENTAL_END <= TP_TALLY_V1, "codes of both kinds have room");

// The counts. A zeroed tally is empty.
struct tp_tally {
    uint64_t count[TP_TALLY_CODES];
    uint64_t bytes[TP_TALLY_CODES]; // in the shortest encoding, as Go's footprint counts
};

// An event code of a tally.
struct tp_tally_code {
    const char *name; // NULL: no event has this code
    bool is_timed;    // the event has a time, as all events except framing and tables have
};

// Returns the code at index `code` of a tally, below TP_TALLY_CODES.
struct tp_tally_code tp_tally_code(unsigned code);

// Facts about a trace that its events contain, in addition to their counts.
enum tp_ident {
    TP_IDENT_NONE,
    TP_IDENT_GOROUTINE, // a goroutine that the event introduces
    TP_IDENT_PROC,      // a P that runs
    TP_IDENT_THREAD,    // a thread, in traces whose batches do not name theirs
    TP_IDENT_FREQUENCY, // clock units per second of the whole trace
};

// Called for events that contain such a fact, which are rare; `number` is the id or the frequency.
typedef void (*tp_ident_fn)(void *ctx, enum tp_ident ident, uint64_t number);

// Results of counting the events of one extent or piece.
struct tp_tally_result {
    size_t used_bytes;       // up to the first event that cannot be decoded
    uint64_t dt_ticks;       // sum of the time deltas, modulo 2^64
    uint64_t first_dt_ticks; // of the first event; only of extents before Go 1.22 that have_times
    // Go 1.22 and later: the batch may have events with the time at which they happened. Before:
    // some event has such a time; a CPUSample does not count, because it has only the time at which
    // it was written.
    bool has_times;
};

// Counts an event with this code, which has `len_bytes` in the shortest encoding.
TP_INLINE void tp_tally_count(struct tp_tally *t, unsigned code, uint64_t len_bytes)
{
    t->count[code]++;
    t->bytes[code] += len_bytes;
}

// Adds the counts of `from`. Cannot fail.
void tp_tally_add(struct tp_tally *into, const struct tp_tally *from);

// Return the counts of strings, stacks and CPU samples, of all formats.
uint64_t tp_tally_strings(const struct tp_tally *t);
uint64_t tp_tally_stacks(const struct tp_tally *t);
uint64_t tp_tally_samples(const struct tp_tally *t);

#endif
