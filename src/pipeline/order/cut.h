// Defines the argument and the result of tp_collect_extent (collect.h), which the ingest strand
// calls with each extent, to collect the extents into generations.
#ifndef TP_PIPELINE_ORDER_CUT_H
#define TP_PIPELINE_ORDER_CUT_H

#include "decode/decoder.h"
#include "decode/spec.h"

// An extent as the ingest strand cut it. Borrows all bytes, which are valid during the call.
struct tp_cut {
    const struct tp_extent *extent;
    struct tp_span bytes;      // of the extent; only the first ones if it stays in its file
    struct tp_span rest;       // the bytes after an extent of kind LOST that were already read
    const struct tp_scan_marks *marks; // of the extent
};

// Whether the extent is a batch of events that begins with an end of generation; no sound trace has
// one. `bytes` are at least the header and the first byte of the body.
TP_INLINE bool tp_extent_begins_with_mark(const struct tp_extent *x, struct tp_span bytes)
{
    return x->kind == TP_EXTENT_BATCH && x->batch_kind == TP_BATCH_EVENTS &&
           x->len_bytes > x->header_bytes && bytes.ptr[x->header_bytes] == TP_EV_EndOfGeneration;
}

// Whether the extent was collected.
enum tp_hold_status {
    TP_HOLD_OK,
    TP_HOLD_WAIT,   // not collected: wait for pages, then try again with the same extent
    TP_HOLD_FAILED, // not collected: the caller's error gives the reason
};

#endif
