// Writes the pieces of a trace of Go 1.22 or later: its header, the headers of batches, and events
// without tails, with all numbers in the shortest form. event_v2.h is the inverse. Pure; each
// function returns a pointer to one past the last byte that it wrote.
#ifndef TP_DECODE_PUT_V2_H
#define TP_DECODE_PUT_V2_H

#include "decode/spec.h"
#include "decode/varint.h"

// Numbers of bytes that `to` must have room for: a file header, a batch header, an event.
#define TP_PUT_V2_HEADER_BYTES 16
#define TP_PUT_V2_BATCH_MAX_BYTES (1 + 4 * TP_VARINT_MAX_BYTES) // the header alone
#define TP_PUT_V2_EVENT_MAX_BYTES (1 + TP_MAX_EVENT_ARGS * TP_VARINT_MAX_BYTES)

// Writes the header of a trace in the format `minor`, also of one from before Go 1.22. Zeros, at
// least three, follow its text.
unsigned char *tp_put_v2_header(unsigned char to[static TP_PUT_V2_HEADER_BYTES], uint32_t minor);

// Writes the header of a batch with a body of `body_bytes`, at most TP_MAX_BATCH_BYTES.
unsigned char *tp_put_v2_batch(unsigned char *to, uint64_t generation, int64_t m,
                               uint64_t time_ticks, size_t body_bytes);

// Writes an event without a tail. `args` must have as many elements as the type has arguments.
unsigned char *tp_put_v2_event(unsigned char *to, uint8_t type, const uint64_t *args);

#endif
