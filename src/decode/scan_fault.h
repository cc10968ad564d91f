// Determines the error of Go's full reader (internal/trace/batch.go and generation.go) at a place
// at which the scan finds damage. Pure.
#ifndef TP_DECODE_SCAN_FAULT_H
#define TP_DECODE_SCAN_FAULT_H

#include "base/err.h"
#include "decode/scan_v2.h"

// How Go's full reader goes on after the error.
enum tp_fault_effect {
    TP_FAULT_KEEPS,  // Go still delivers the open generation
    TP_FAULT_DROPS,  // Go drops the open generation
    TP_FAULT_IS_END, // no error: Go takes the place for the end of the trace
    TP_FAULT_VOIDS,  // Go shows nothing of the trace, not even earlier generations
};

// Returns how Go's full reader goes on, and fills `err` unless IS_END. `rest` begins at the place
// at which the scan found `loss`; it is the whole rest of the input if the input ends there.
// `has_events`: the open generation has a batch of events. err->offset is TP_NO_OFFSET.
enum tp_fault_effect tp_scan_fault(enum tp_loss_kind loss, struct tp_span rest, uint32_t minor,
                                   bool has_events, struct tp_error *err);

#endif
