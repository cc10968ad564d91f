// Makes wire bytes of traces from before Go 1.22, as wire_build.h does for later ones: any event
// of any of these versions, in the form that its runtime writes. Implements the form
// independently of decode/spec_v1.h, so that tests can compare the two.
#ifndef TP_TESTS_WIRE_BUILD_V1_H
#define TP_TESTS_WIRE_BUILD_V1_H

#include "decode/event_v1.h"
#include "wire_build.h"

// Writes "go 1.N trace" padded with zeros; "gotrace" for minor 0.
void wire_v1_put_header(struct tp_buf *b, uint32_t minor);

// Writes an event. `ev` has the type, all arguments (including dseq and dt), the tail and, for a
// Stack, the padding of its length. Writes a length if the runtime would. Does not check counts
// against tails, nor arguments against the version: a test may write events that are wrong.
void wire_v1_put_event(struct tp_buf *b, uint32_t minor, const struct tp_wire_event *ev);

// Does the same as wire_v1_put_event, but always writes a length, padded by ev->pad_bytes.
void wire_v1_put_sized(struct tp_buf *b, const struct tp_wire_event *ev);

// Writes the event in another form with the same meaning: numbers (also of frames) in more bytes
// than they need, a length that is not needed.
void wire_v1_put_odd(struct tp_buf *b, uint32_t minor, const struct tp_wire_event *ev,
                     uint64_t *state);

// Writes an event from the numbers after its code: WIRE_V1_PUT(b, 11, TP_V1_GoEnd, 5).
#define WIRE_V1_PUT(b, minor, code, ...)                                                   \
    wire_v1_put_args(b, minor, code, (const uint64_t[]){__VA_ARGS__},                      \
                     TP_ARRAY_LEN(((const uint64_t[]){__VA_ARGS__})))
void wire_v1_put_args(struct tp_buf *b, uint32_t minor, uint8_t type, const uint64_t *args,
                      size_t count);

void wire_v1_put_batch(struct tp_buf *b, uint32_t minor, uint64_t p, uint64_t ticks);
// Writes a batch of P 0 at 100 ticks with the usual beginning of a trace, and goroutine 1
// running on it.
void wire_v1_put_beginning(struct tp_buf *b, uint32_t minor);
// Writes stacks 1 to `count` of one frame each.
void wire_v1_put_stacks(struct tp_buf *b, uint32_t minor, uint64_t count);
void wire_v1_put_frequency(struct tp_buf *b, uint32_t minor, uint64_t freq);
void wire_v1_put_timer_goroutine(struct tp_buf *b, uint32_t minor, uint64_t g);
void wire_v1_put_string(struct tp_buf *b, uint64_t id, const char *text);
void wire_v1_put_log(struct tp_buf *b, uint64_t dt, uint64_t task, uint64_t key_string,
                     uint64_t stack, const char *message);
// Writes a stack. Frame i has the PC pc + i; its other numbers, if frames of `minor` have
// them, have the value i.
void wire_v1_put_stack(struct tp_buf *b, uint32_t minor, uint64_t id, unsigned frame_count,
                       uint64_t pc, unsigned pad_bytes);

// Makes a sound event of `type` with random arguments; `tail` holds the bytes of its tail.
#define WIRE_V1_TAIL_BYTES 400
void wire_v1_random_event(struct tp_wire_event *ev, unsigned char tail[WIRE_V1_TAIL_BYTES],
                          uint64_t *state, const struct tp_v1_table *table, uint8_t type);
// Returns a random type that `table` has.
uint8_t wire_v1_random_type(uint64_t *state, const struct tp_v1_table *table);

#endif
