// Writes raw events of Go 1.5 to 1.21, or before, as their runtimes did, with numbers in the
// shortest form. A length precedes the numbers if the event has frames, or if it has at least three
// arguments besides dseq and dt. event_v1.h is the inverse. Pure.
//
//   begin   | first | room for a length |
//   caller  | first | room for a length | numbers ...
//   end     | first | length | numbers ...               what follows (text) comes after
#ifndef TP_DECODE_PUT_V1_H
#define TP_DECODE_PUT_V1_H

#include "decode/spec_v1.h"

// Maximum number of bytes that an event has before its numbers.
#define TP_PUT_V1_FRONT_BYTES 11

// Begins an event of a type that `table` has. Returns the offset at which the caller must write the
// event's numbers.
size_t tp_put_v1_begin(unsigned char *event, const struct tp_v1_table *table, unsigned type);

// Ends the numbers of an event, at offset `end_bytes`. If the type has a length, writes the length
// in `pad_bytes` more bytes than it needs, and moves the numbers directly after it. Returns the new
// end of the numbers; 0, and changes nothing, if no length can have that many bytes.
size_t tp_put_v1_end(unsigned char *event, size_t end_bytes, uint64_t pad_bytes);

#endif
