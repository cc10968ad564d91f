// Makes wire bytes piece by piece, for tests that need more control than the generator gives:
// odd forms of numbers, wrong batches, single events. Appends to a struct tp_buf of the caller;
// a buffer that is too small ends the test.
#ifndef TP_TESTS_WIRE_BUILD_H
#define TP_TESTS_WIRE_BUILD_H

#include "base/buf.h"
#include "decode/event_v2.h"

// All formats, for loops over them.
extern const uint32_t wire_versions[4];

// The next random number; *state is the generator's state and must not be 0.
uint64_t wire_random(uint64_t *state);
// Any length from 0 to 64 bits with the same likelihood.
uint64_t wire_random_number(uint64_t *state);

void wire_put(struct tp_buf *b, const void *bytes, size_t len_bytes);
void wire_put_byte(struct tp_buf *b, unsigned byte);
void wire_put_number(struct tp_buf *b, uint64_t value);
// Puts the number in exactly `len_bytes` bytes: enough for it, at most TP_VARINT_MAX_BYTES.
void wire_put_padded(struct tp_buf *b, uint64_t value, unsigned len_bytes);

// Puts the 16 bytes of a file's header.
void wire_put_header(struct tp_buf *b, uint32_t minor);

struct wire_batch {
    uint64_t generation;
    uint64_t m;
    uint64_t time_ticks;
    bool experimental;
    uint8_t experiment;
    bool short_size; // the size in its shortest form instead of the runtime's
};
void wire_put_batch(struct tp_buf *b, const struct wire_batch *batch, struct tp_span body);

// Puts the event in its shortest form.
void wire_put_event(struct tp_buf *b, const struct tp_wire_event *event);

// Puts an event with random arguments, some of them padded, of a random code that `table` has.
// Tails are short; one count of frames in four is negative in Go.
void wire_put_random_event(struct tp_buf *b, uint64_t *state, const struct tp_arg_table *table);
// As wire_put_random_event, for a given code.
void wire_put_random_args(struct tp_buf *b, uint64_t *state, const struct tp_arg_table *table,
                          uint8_t code);

// Changes `count` random bytes.
void wire_damage(struct tp_buf *b, uint64_t *state, unsigned count);

// Copies the bytes to a heap block of exactly their size, so that a sanitizer detects reads
// beyond it. The caller frees the copy with free().
unsigned char *wire_copy(struct tp_span bytes);

#endif
