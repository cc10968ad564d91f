// Cuts the stream of a v2 trace into extents without decoding a batch's body:
// every byte belongs to exactly one extent, in stream order.
//
//   | header | batch | batch | end mark | lost ...... | batch | ...
//   structural                structural
//
// The scan alone decides whether a trace is damaged. After a bad header it
// resumes at the first offset where two batch headers in a row (or one and an
// end mark or the end of the input) parse, with sizes in the runtime's 10-byte
// form and neither generation below the one before it. Cost is linear in the input
// for any input. The rules are those of Go's readers (internal/trace/batch.go,
// generation.go), which stop at damage where this scan resumes.
//
// A scan is plain memory, used by one thread at a time; it allocates nothing and
// knows no files.
#ifndef TP_DECODE_SCAN_V2_H
#define TP_DECODE_SCAN_V2_H

#include "base/span.h"
#include "tracepipe/loss.h"

enum tp_extent_kind {
    TP_EXTENT_STRUCTURAL, // file header, end mark of a generation
    TP_EXTENT_BATCH,
    TP_EXTENT_LOST,       // may be empty: a place that is only out of order
    TP_EXTENT_OPAQUE,     // bytes that were not examined (the input is not a trace)
};

enum tp_batch_kind {
    TP_BATCH_EVENTS,
    TP_BATCH_STACKS,
    TP_BATCH_STRINGS,
    TP_BATCH_SAMPLES,
    TP_BATCH_SYNC, // frequency, and the clock snapshot since Go 1.25
    TP_BATCH_EXPERIMENTAL,
};

struct tp_extent {
    uint64_t offset;      // in the stream
    uint32_t len_bytes;   // batch: header and body
    uint32_t header_bytes;
    uint8_t kind;         // enum tp_extent_kind
    uint8_t batch_kind;   // enum tp_batch_kind
    uint8_t loss;         // enum tp_loss_kind; set where damage begins
    bool first_of_generation;
    bool ends_generation; // the end mark
    uint64_t generation;  // batch, end mark: its own; lost: the last before it
    uint64_t m;           // batch: thread id, 2^64-1 for tables
    uint64_t time_ticks;
};

// The longest run of bytes that a step may leave for the next one: a batch, or
// while resuming a header, a body and the header behind it.
#define TP_SCAN_TAIL_MAX_BYTES (65536 + 128)

// Enough for any header and the byte after it.
#define TP_SCAN_HEAD_BYTES 48

struct tp_scan {
    uint64_t offset;     // of the next byte
    uint32_t minor;
    uint64_t generation; // of the last batch; 0 before the first
    bool in_generation;  // a batch of `generation` was seen, but not its end
    bool resuming;       // looking for a place to go on
    bool resumed;        // the next header may name any generation not below
};

// `offset` is where the body begins in the stream.
void tp_scan_init(struct tp_scan *s, uint32_t minor, uint64_t offset);

// Kind of a batch without an experiment, by the first byte of its body.
enum tp_batch_kind tp_batch_kind_of(uint32_t minor, struct tp_span body);

// Looks at `bytes`, which start at s->offset, and writes up to `capacity`
// extents. Returns how many bytes they cover. The rest (at most
// TP_SCAN_TAIL_MAX_BYTES unless `capacity` was reached) must be presented again
// with more bytes behind it. `at_end`: nothing follows `bytes`; then, unless
// capacity was reached, everything is covered. Call again while *ret_count ==
// capacity.
size_t tp_scan_step(struct tp_scan *s, struct tp_span bytes, bool at_end,
                    struct tp_extent *extents, size_t capacity, size_t *ret_count);

// Gives the next extent from its header alone, for the header walk, which skips the body.
// `head` holds the first TP_SCAN_HEAD_BYTES (or all, if fewer) of the `left_bytes` bytes
// from s->offset to the end of the stream. Returns false and changes nothing where
// tp_scan_step would find damage, and at the end.
bool tp_scan_hop(struct tp_scan *s, struct tp_span head, uint64_t left_bytes,
                 struct tp_extent *ret_extent);

#endif
