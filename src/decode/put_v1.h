// Writes raw events of Go 1.5 to 1.21, or before, in the form of their runtimes: numbers in
// the shortest form, and in front of them a length where there are more than three arguments,
// or frames. The other way round is event_v1.h. Pure.
//
//   begin   | first | room for a length |
//   caller  | first | room for a length | numbers ...
//   end     | first | length | numbers ...               what follows (text) comes behind
#ifndef TP_DECODE_PUT_V1_H
#define TP_DECODE_PUT_V1_H

#include "decode/spec_v1.h"

// The most that comes before the numbers.
#define TP_PUT_V1_FRONT_BYTES 11

// Begins an event of a type that `table` has. Returns where its numbers go.
size_t tp_put_v1_begin(unsigned char *event, const struct tp_v1_table *table, unsigned type);

// The numbers end at `end_bytes`. Puts their length, if the type has one, in pad_bytes more
// bytes than it needs, and moves them to it. Returns where they end then; 0, and nothing is
// changed, if there is no length of so many bytes.
size_t tp_put_v1_end(unsigned char *event, size_t end_bytes, uint64_t pad_bytes);

#endif
