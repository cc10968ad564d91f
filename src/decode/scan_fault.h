// Gives the error of Go's full reader (internal/trace/batch.go and generation.go) at a place
// where the scan finds damage. Pure.
#ifndef TP_DECODE_SCAN_FAULT_H
#define TP_DECODE_SCAN_FAULT_H

#include "base/err.h"
#include "decode/scan_v2.h"

// How Go's full reader goes on after the error.
enum tp_fault_effect {
    TP_FAULT_KEEPS,  // Go still delivers the open generation
    TP_FAULT_DROPS,  // Go drops the open generation
    TP_FAULT_IS_END, // no fault: Go takes it for the end of the trace
    TP_FAULT_VOIDS,  // Go shows nothing of the trace, not even earlier generations
};

// `rest` begins where the scan found `loss`; it is the whole rest of the input if the input
// ends there. `has_events`: the open generation has a batch of events. Fills `err` unless
// IS_END.
enum tp_fault_effect tp_scan_fault(enum tp_loss_kind loss, struct tp_span rest, uint32_t minor,
                                   bool has_events, struct tp_error *err);

#endif
