// Reads raw events of Go 1.5 to 1.21, or before, one at a time, as they are on the wire: without
// order, time or goroutine. Pure functions.
//
//   first byte          low six bits: the code; high two bits: n
//   n < 3               n + 1 numbers (Go 1.5, 1.6: n + 2)
//   n = 3               a length, then that many bytes of numbers
//   String              for any n: id, a length, that many bytes
//   UserLog             its numbers, then a length and that many bytes
//
// The reader differs in two ways from Go's parser (internal/trace/parser.go), which reads the whole
// trace into memory first: it refuses events longer than TP_V1_MAX_EVENT_BYTES (the runtime's
// buffers have 64 KiB), and it refuses an event with a wrong number of arguments at once.
#ifndef TP_DECODE_EVENT_V1_H
#define TP_DECODE_EVENT_V1_H

#include "decode/wire_event.h"

// The longest event that the reader takes.
#define TP_V1_MAX_EVENT_BYTES 65536

// Results of reading.
enum tp_v1_status {
    TP_V1_OK,
    TP_V1_CUT,           // the bytes end inside the event
    TP_V1_BAD_CODE,
    TP_V1_BAD_NUMBER,    // a number of more than ten bytes
    TP_V1_BAD_LENGTH,    // the event's length differs from that of its numbers
    TP_V1_BAD_COUNT,     // the type has another number of arguments
    TP_V1_BAD_FRAMES,    // more than 1000 frames, or another number than the event states
    TP_V1_BAD_STRING,    // id 0, no bytes, or more than 1000000 bytes
    TP_V1_TOO_LONG,      // more than TP_V1_MAX_EVENT_BYTES
};

// Reads the event at *p, not past `end`. On TP_V1_OK advances *p; spans borrow the bytes. On
// failure *p is unchanged.
enum tp_v1_status tp_v1_event_read(const unsigned char **p, const unsigned char *end,
                                   const struct tp_v1_table *table,
                                   struct tp_wire_event *ret_event);

// Returns the number of bytes of the event's shortest form, which has a length field only if the
// event needs one, and no padding.
uint64_t tp_v1_event_canonical_bytes(const struct tp_wire_event *event,
                                     const struct tp_v1_table *table);

// Reads a number as these versions encode it: bits after the 64th are dropped. On TP_V1_OK moves *p
// past the number. Fails with TP_V1_CUT or TP_V1_BAD_NUMBER; *p is then unchanged. Cannot fail on
// bytes that tp_v1_event_read has accepted.
enum tp_v1_status tp_v1_number(const unsigned char **p, const unsigned char *end,
                               uint64_t *ret_value);

#endif
