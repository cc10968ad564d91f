// A raw event of any format as it is on the wire, without order or interpretation. Plain data.
#ifndef TP_DECODE_WIRE_EVENT_H
#define TP_DECODE_WIRE_EVENT_H

#include "base/span.h"
#include "decode/spec.h"
#include "decode/spec_v1.h"

// A decoded event. The tail borrows the bytes given to the reader.
struct tp_wire_event {
    uint8_t type; // enum tp_event_type; before Go 1.22 enum tp_v1_type
    uint8_t arg_count;
    uint8_t pad_bytes; // before Go 1.22: bytes of the length field beyond its shortest form
    uint64_t args[TP_MAX_EVENT_ARGS];
    uint64_t frame_count; // Stack: frames in `tail`
    struct tp_span tail;  // Stack: the frames; String, ExperimentalBatch, UserLog: the bytes
};
_Static_assert(TP_V1_MAX_ARGS == TP_MAX_EVENT_ARGS, "events of all formats fit");

#endif
