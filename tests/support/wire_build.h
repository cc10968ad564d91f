// Builds wire bytes piece by piece, for tests that need more control than the generator gives:
// unusual numbers, invalid batches, single events. Bytes go to a struct tp_buf of the caller;
// the test ends if it is too small.
#ifndef TP_TESTS_WIRE_BUILD_H
#define TP_TESTS_WIRE_BUILD_H

#include "base/buf.h"
#include "decode/event_v2.h"

// All format versions, for loops over them.
extern const uint32_t wire_versions[4];

// Returns the next random number; *state is the generator's state and must not be 0.
uint64_t wire_random(uint64_t *state);
// Returns a random number; every length from 0 to 64 bits has the same probability.
uint64_t wire_random_number(uint64_t *state);

void wire_put(struct tp_buf *b, const void *bytes, size_t len_bytes);
void wire_put_byte(struct tp_buf *b, unsigned byte);
void wire_put_number(struct tp_buf *b, uint64_t value);
// Writes the number in `len_bytes` bytes: enough for it and at most TP_VARINT_MAX_BYTES.
void wire_put_padded(struct tp_buf *b, uint64_t value, unsigned len_bytes);

// Writes the 16 bytes of a file header.
void wire_put_header(struct tp_buf *b, uint32_t minor);

struct wire_batch {
    uint64_t generation;
    uint64_t m;
    uint64_t time_ticks;
    bool experimental;
    uint8_t experiment;
    bool short_size; // the size in its shortest form, not padded as by the runtime
};
void wire_put_batch(struct tp_buf *b, const struct wire_batch *batch, struct tp_span body);

// Writes the event in its shortest form.
void wire_put_event(struct tp_buf *b, const struct tp_wire_event *event);

// Writes an event of a random code that `table` has, with random arguments, some of them
// padded. The variable-length tail is kept short; a quarter of the frame counts are negative.
void wire_put_random_event(struct tp_buf *b, uint64_t *state, const struct tp_arg_table *table);
// Does the same as wire_put_random_event, for a given code.
void wire_put_random_args(struct tp_buf *b, uint64_t *state, const struct tp_arg_table *table,
                          uint8_t code);

// Overwrites `count` random bytes with random ones.
void wire_damage(struct tp_buf *b, uint64_t *state, unsigned count);

// Returns a copy in a heap block of exactly its size, so that a sanitizer notices every byte
// read past the end. The caller frees it with free().
unsigned char *wire_copy(struct tp_span bytes);

#endif
