// Extents are the pieces into which a scan (decode/decoder.h) cuts the stream of an input. Every
// byte belongs to exactly one extent, in stream order. Plain data.
#ifndef TP_DECODE_EXTENT_H
#define TP_DECODE_EXTENT_H

#include "base/span.h"
#include "tracepipe/loss.h"

// Kinds of extents.
enum tp_extent_kind {
    TP_EXTENT_STRUCTURAL, // file header, end mark of a generation
    TP_EXTENT_BATCH,
    TP_EXTENT_LOST,   // damaged bytes; empty at a place that is only out of order
    TP_EXTENT_OPAQUE, // bytes that were not examined (the input is not a trace)
};

// Contents of a batch. Before Go 1.22 all tables are TP_BATCH_STACKS.
enum tp_batch_kind {
    TP_BATCH_EVENTS,
    TP_BATCH_STACKS,
    TP_BATCH_STRINGS,
    TP_BATCH_SAMPLES,
    TP_BATCH_SYNC, // frequency, and the clock snapshot since Go 1.25
    TP_BATCH_EXPERIMENTAL,
};

// One extent.
struct tp_extent {
    uint64_t offset;    // in the stream
    uint32_t len_bytes; // batch: header and body
    uint32_t header_bytes;
    uint8_t kind;       // enum tp_extent_kind
    uint8_t batch_kind; // enum tp_batch_kind
    uint8_t loss;       // enum tp_loss_kind; set at the place where damage begins
    bool first_of_generation;
    bool ends_generation; // the end mark
    uint64_t generation;  // batch, end mark: its own; lost: that of the last batch before
    uint64_t m;           // batch: thread id, 2^64-1 for tables
    uint64_t time_ticks;
};

// Makes the extent of lost bytes at `offset`, after a batch of `generation`.
TP_INLINE struct tp_extent tp_lost_extent(uint64_t offset, size_t len_bytes, enum tp_loss_kind loss,
                                          uint64_t generation)
{
    return (struct tp_extent){.offset = offset,
                              .len_bytes = (uint32_t)len_bytes,
                              .kind = TP_EXTENT_LOST,
                              .loss = (uint8_t)loss,
                              .generation = generation};
}

// Limit of the bytes that the scan may need to see at once before it finds an extent: those of a
// batch; or, while the scan resumes after damage, those of a header, a body and the next header.
#define TP_SCAN_TAIL_MAX_BYTES (65536 + 128)

// Limit of the marked events of an extent.
#define TP_SCAN_MARKS_MAX (TP_KIB(32) / 2)

// Offsets, relative to the last extent, of the events that a later pass looks for.
struct tp_scan_marks {
    size_t count;
    uint16_t offsets[TP_SCAN_MARKS_MAX];
};

// Limit of an extent of bytes that are not examined.
#define TP_SCAN_OPAQUE_BYTES TP_KIB(192)

#endif
