// Defines the argument and the result of tp_collect_extent (collect.h), which the ingest strand
// calls with each extent, to collect the extents into generations.
#ifndef TP_PIPELINE_ORDER_CUT_H
#define TP_PIPELINE_ORDER_CUT_H

#include "decode/decoder.h"

// An extent as the ingest strand cut it. Borrows all bytes, which are valid during the call.
struct tp_cut {
    const struct tp_extent *extent;
    struct tp_span bytes;      // of the extent; only the first ones if it stays in its file
    struct tp_span rest;       // the bytes after an extent of kind LOST that were already read
    const struct tp_scan_marks *marks; // of the extent
};

// Whether the extent was collected.
enum tp_hold_status {
    TP_HOLD_OK,
    TP_HOLD_WAIT,   // not collected: wait for pages, then try again with the same extent
    TP_HOLD_FAILED, // not collected: the caller's error gives the reason
};

#endif
