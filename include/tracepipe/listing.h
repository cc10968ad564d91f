// The list of a trace: what its scan finds, without putting an event in order. Counts,
// first and last time, and where each batch lies, for traces of every release.
//
//   struct tp_listing *listing;
//   struct tp_listing_summary all;
//   struct tp_listed_batch batch;
//   if (tp_listing_open("a.trace", NULL, &listing, &err) != 0)
//       ...
//   tp_listing_summary(listing, &all);
//   for (uint64_t i = 0; i < all.batch_count; i++)
//       if (tp_listing_batch(listing, i, &batch, &err) == 0)
//           ...
//   tp_listing_close(listing);
//
// What is lost of a damaged trace is counted, and the rest is there. Where a trace does not
// say how fast its clock runs, or says what cannot be, it has no times in nanoseconds;
// everything else is there all the same.
//
// Times count from the trace's first event, which is the zero of the option "from", too. A
// batch of a trace from before Go 1.22 may have been begun before it: its time is negative.
//
// Memory does not grow with the number of batches: what is too much lies in a file without
// a name, where TMPDIR says.
//
// Threads: one thread at a time uses a listing, not necessarily always the same.
#ifndef TRACEPIPE_LISTING_H
#define TRACEPIPE_LISTING_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "tracepipe/api.h"
#include "tracepipe/error.h"
#include "tracepipe/reader.h"

#ifdef __cplusplus
extern "C" {
#endif

struct tp_listing;

// Scans a trace to its end, plain, compressed or in text form; "-" is stdin. `options` are
// those of tp_reader_open; those about order, windows and salvage make no difference.
// Fails with TP_E_USAGE, TP_E_OPEN, TP_E_NOT_TRACE, TP_E_NEW_TRACE, TP_E_MEMORY,
// TP_E_KERNEL, TP_E_WRITE; with TP_E_READ, TP_E_CODEC, TP_E_TEXT only if not even the trace's
// header could be read. On success the caller owns the listing.
TP_API int tp_listing_open(const char *path, const struct tp_option *options,
                           struct tp_listing **ret_listing, struct tp_error *err);
TP_API void tp_listing_close(struct tp_listing *listing); // NULL is fine

struct tp_listing_summary {
    uint32_t go_minor;         // of the format: 26 is Go 1.26 and 1.27; 0: before Go 1.5
    bool is_text_form;
    uint64_t stored_bytes;     // read from the file,
    uint64_t read_count;       // by so many reads
    uint64_t stream_bytes;     // in wire form, after decompression and text encoding
    uint64_t event_count;      // of the wire form, with its framing and tables
    uint64_t string_count;
    uint64_t stack_count;
    uint64_t batch_count;
    uint64_t generation_count; // 0 before Go 1.22
    // The clock: units per second as the first generation says that says so, or else as the
    // option "frequency" does; 0: nobody does.
    uint64_t ticks_per_second;
    bool has_ticks;            // there is an event:
    uint64_t first_ticks;      // times of the first and the last one
    uint64_t last_ticks;
    bool has_span;             // and they are known in nanoseconds:
    int64_t span_ns;           // from the first to the last
    uint64_t damage_count;     // places of damage in the stream,
    uint64_t lost_bytes;       // and the bytes passed over there
    uint64_t undecoded_bytes;  // in sound batches, behind an event that cannot be read
    // Why reading ended early; code 0: it did not. `path` is not set.
    struct tp_error error;
};
TP_API void tp_listing_summary(const struct tp_listing *listing,
                               struct tp_listing_summary *ret_summary);

// What a batch holds. X(NAME, word)
#define TP_LISTED_MAP(X)                                                                \
    X(EVENTS, "events")                                                                 \
    X(STACKS, "stacks")                                                                 \
    X(STRINGS, "strings")                                                               \
    X(SAMPLES, "samples")                                                               \
    X(SYNC, "sync")                                                                     \
    X(EXPERIMENTAL, "experimental")                                                     \
    X(TABLES, "tables") /* before Go 1.22: no event that has a time */

enum tp_listed_kind {
#define TP_X(name, word) TP_LISTED_##name,
    TP_LISTED_MAP(TP_X)
#undef TP_X
    TP_LISTED_KINDS
};
TP_API const char *tp_listed_kind_name(enum tp_listed_kind kind);

struct tp_listed_batch {
    uint64_t offset;           // in wire form
    uint64_t len_bytes;        // with its header
    uint64_t generation;       // 0 before Go 1.22
    int64_t owner;             // the M that wrote it, before Go 1.22 the P; -1: nobody
    enum tp_listed_kind kind;
    uint64_t ticks;            // when it was begun
    bool has_ns;
    int64_t ns;                // the same since the first event
};
// In the order of the file; `idx` is below batch_count. TP_E_USAGE if it is not, TP_E_MEMORY,
// TP_E_KERNEL: what was put aside cannot be read back.
TP_API int tp_listing_batch(struct tp_listing *listing, uint64_t idx,
                            struct tp_listed_batch *ret_batch, struct tp_error *err);

struct tp_listed_generation {
    uint64_t number;
    uint64_t offset;           // of its first batch
    uint64_t len_bytes;        // of its batches
    uint64_t first_batch;      // index
    uint64_t batch_count;
    bool is_complete;          // begins and ends with a border, nothing lost inside
    uint64_t ticks_per_second; // as it says; 0: it does not
    uint64_t first_ticks;      // when its first batch was begun,
    uint64_t last_ticks;       // and of its last event; 0: it has none
    bool has_ns;
    int64_t first_ns;          // the same since the first event of the trace
    int64_t last_ns;
};
// As tp_listing_batch, below generation_count.
TP_API int tp_listing_generation(struct tp_listing *listing, uint64_t idx,
                                 struct tp_listed_generation *ret_generation,
                                 struct tp_error *err);

#ifdef __cplusplus
}
#endif
#endif
