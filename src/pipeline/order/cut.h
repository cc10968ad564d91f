// What the ingest strand hands to the order room, and what it is told.
#ifndef TP_PIPELINE_ORDER_CUT_H
#define TP_PIPELINE_ORDER_CUT_H

#include "decode/decoder.h"

// An extent as the ingest strand cut it.
struct tp_cut {
    const struct tp_extent *extent;
    struct tp_span bytes;      // of the extent, or only the first ones if it stays in its file
    struct tp_span rest;       // read and not cut yet; what follows an extent of kind LOST
    const struct tp_scan_marks *marks; // of the extent
};

enum tp_hold_status {
    TP_HOLD_OK,
    TP_HOLD_WAIT,   // for pages; try again with the same extent
    TP_HOLD_FAILED, // the error says why
};

#endif
