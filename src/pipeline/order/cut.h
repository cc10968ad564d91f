// The argument that the ingest strand hands to the order room, and the answers.
#ifndef TP_PIPELINE_ORDER_CUT_H
#define TP_PIPELINE_ORDER_CUT_H

#include "decode/decoder.h"

// An extent as the ingest strand cut it. Borrows all bytes, which are valid during the call.
struct tp_cut {
    const struct tp_extent *extent;
    struct tp_span bytes;      // of the extent, or only the first ones if it stays in its file
    struct tp_span rest;       // the bytes after an extent of kind LOST that were already read
    const struct tp_scan_marks *marks; // of the extent
};

// The answer: whether the extent was collected.
enum tp_hold_status {
    TP_HOLD_OK,
    TP_HOLD_WAIT,   // wait for pages, and try again with the same extent
    TP_HOLD_FAILED, // the error says why
};

#endif
