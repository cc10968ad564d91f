// One raw event of Go 1.5 to 1.21 (or before) at a time, as it is on the wire: no order, no
// time, no goroutine.
//
//   first byte          low six bits: the code; high two bits: n
//   n < 3               n + 1 numbers (Go 1.5, 1.6: n + 2)
//   n = 3               a length, then so many bytes of numbers
//   String              whatever n is: id, a length, so many bytes
//   UserLog             its numbers, then a length and so many bytes
//
// Two things differ from Go's parser (internal/trace/parser.go), which reads all of a trace
// into memory first: an event longer than TP_V1_MAX_EVENT_BYTES is refused (the runtime's
// buffers have 64 KiB), and one with a wrong number of arguments at once.
#ifndef TP_DECODE_EVENT_V1_H
#define TP_DECODE_EVENT_V1_H

#include "base/span.h"
#include "decode/spec_v1.h"

#define TP_V1_MAX_EVENT_BYTES 65536

struct tp_v1_event {
    uint8_t type;            // enum tp_v1_type
    uint8_t arg_count;
    uint8_t pad_bytes;       // of the length before its numbers, beyond the shortest form
    uint64_t args[TP_V1_MAX_ARGS];
    uint64_t frame_count;    // Stack
    struct tp_span tail;     // Stack: the frames; String, UserLog: the bytes
};

enum tp_v1_status {
    TP_V1_OK,
    TP_V1_CUT,           // the bytes end inside the event
    TP_V1_BAD_CODE,
    TP_V1_BAD_NUMBER,    // of more than ten bytes
    TP_V1_BAD_LENGTH,    // its numbers end elsewhere than its length says
    TP_V1_BAD_COUNT,     // not as many arguments as its type has
    TP_V1_BAD_FRAMES,    // more than 1000, or not as many as it says
    TP_V1_BAD_STRING,    // id 0, or no bytes, or more than 1000000
    TP_V1_TOO_LONG,
};

// Reads the event at *p, not past `end`. On TP_V1_OK advances *p; spans borrow the bytes.
// On failure *p stays.
enum tp_v1_status tp_v1_event_read(const unsigned char **p, const unsigned char *end,
                                   const struct tp_v1_table *table,
                                   struct tp_v1_event *ret_event);

// Bytes of the event in its shortest form: the length before its numbers is there if the
// event needs one, and nothing is padded.
uint64_t tp_v1_event_canonical_bytes(const struct tp_v1_event *event,
                                     const struct tp_v1_table *table);

// A number as these versions have it: bits beyond the 64th are dropped. Never fails for
// what tp_v1_event_read has read.
enum tp_v1_status tp_v1_number(const unsigned char **p, const unsigned char *end,
                               uint64_t *ret_value);

#endif
