// Lists a trace, of any Go release: counts its parts and finds its first and last time and the
// place of each batch, by a scan that does not put events in order.
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
// For a damaged trace the listing counts the lost bytes and holds everything else. For a trace
// that lacks the frequency of its clock, or has an impossible one, the listing has no times in
// nanoseconds, but everything else.
//
// Times count from the trace's first event, as for the option "from". Before Go 1.22 a batch
// may begin before the first event: its time is then negative.
//
// Memory does not grow with the number of batches: beyond a limit they lie in a file
// without a name, in the folder that TMPDIR names.
//
// Threads: one thread at a time uses a listing, not necessarily always the same one.
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

// Scans a trace to its end, plain, compressed or in text form; "-" is stdin. Blocks until
// the end. `options` are those of tp_reader_open; options about order, windows and salvage
// have no effect. Borrows `path` and `options` during the call. After an error of the input
// err->path borrows `path`. Fails with TP_E_USAGE, TP_E_OPEN, TP_E_NOT_TRACE,
// TP_E_NEW_TRACE, TP_E_MEMORY, TP_E_KERNEL, TP_E_WRITE; with TP_E_READ, TP_E_CODEC,
// TP_E_TEXT only if the header of the trace is unreadable. On success the caller owns the
// listing and gives it to tp_listing_close.
TP_API int tp_listing_open(const char *path, const struct tp_option *options,
                           struct tp_listing **ret_listing, struct tp_error *err);
// Frees the listing. NULL is fine.
TP_API void tp_listing_close(struct tp_listing *listing);

struct tp_listing_summary {
    uint32_t go_minor;         // of the format: 26 is Go 1.26 and 1.27; 0: before Go 1.5
    bool is_text_form;
    uint64_t stored_bytes;     // read from the file
    uint64_t read_count;       // reads that brought these bytes
    uint64_t stream_bytes;     // in wire form, after decompression and text encoding
    uint64_t event_count;      // all events of the wire form, also of framing and tables
    uint64_t string_count;
    uint64_t stack_count;
    uint64_t batch_count;
    uint64_t generation_count; // 0 before Go 1.22
    // Clock units per second, from the first generation that has a frequency, else from the
    // option "frequency"; 0: unknown.
    uint64_t ticks_per_second;
    bool has_ticks;            // the next two members are set: the trace has an event
    uint64_t first_ticks;      // clock of the first event
    uint64_t last_ticks;       // clock of the last event
    bool has_span;             // the next member is set: the frequency is known, too
    int64_t span_ns;           // from the first event to the last
    bool has_wall;             // the next two members are set: Go 1.25 and later know them
    int64_t wall_start_ns;     // of the first event, in nanoseconds of Unix time
    int64_t wall_end_ns;       // of the last event
    uint64_t damage_count;     // places of damage in the stream
    uint64_t lost_bytes;       // bytes passed over at these places
    uint64_t undecoded_bytes;  // bytes after an unreadable event, in batches that are not lost
    // The error that ended the reading early; code 0: none. `path` is not set.
    struct tp_error error;
};
// Copies the summary. Cannot fail.
TP_API void tp_listing_summary(const struct tp_listing *listing,
                               struct tp_listing_summary *ret_summary);

// Contents of a batch. X(NAME, word)
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
// Returns the word of the kind, a constant. Any thread.
TP_API const char *tp_listed_kind_name(enum tp_listed_kind kind);

struct tp_listed_batch {
    uint64_t offset;           // in wire form
    uint64_t len_bytes;        // header included
    uint64_t generation;       // 0 before Go 1.22
    int64_t owner;             // M that wrote the batch, before Go 1.22 its P; -1: nobody
    enum tp_listed_kind kind;
    uint64_t ticks;            // clock at the beginning of the batch
    bool has_ns;               // `ns` is set
    int64_t ns;                // from the first event of the trace to `ticks`
};
// Copies batch `idx`, in the order of the file. Fails with TP_E_USAGE if `idx` is not below
// batch_count, with TP_E_KERNEL if the file without a name cannot be read back, or with
// TP_E_MEMORY; err->path is NULL, and the listing stays usable.
TP_API int tp_listing_batch(struct tp_listing *listing, uint64_t idx,
                            struct tp_listed_batch *ret_batch, struct tp_error *err);

struct tp_listed_generation {
    uint64_t number;
    uint64_t offset;           // of its first batch, in wire form
    uint64_t len_bytes;        // of its batches together
    uint64_t first_batch;      // index for tp_listing_batch
    uint64_t batch_count;
    bool is_complete;          // begins and ends with a border, nothing lost inside
    uint64_t ticks_per_second; // frequency that the generation states; 0: none
    uint64_t first_ticks;      // clock at the beginning of its first batch
    uint64_t last_ticks;       // clock of its last event; 0: it has no event
    bool has_ns;               // the next two members are set
    int64_t first_ns;          // from the first event of the trace to first_ticks
    int64_t last_ns;           // from the first event of the trace to last_ticks
};
// Copies generation `idx`, which must be below generation_count. Fails as tp_listing_batch does.
TP_API int tp_listing_generation(struct tp_listing *listing, uint64_t idx,
                                 struct tp_listed_generation *ret_generation,
                                 struct tp_error *err);

#ifdef __cplusplus
}
#endif
#endif
