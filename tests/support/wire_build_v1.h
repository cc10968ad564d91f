// Wire bytes of traces from before Go 1.22, as wire_build.h makes those of later ones: any
// event of any of these versions, in the form that its runtime writes. Knows that form by
// itself and not from decode/spec_v1.h, so that the two can be held against each other.
#ifndef TP_TESTS_WIRE_BUILD_V1_H
#define TP_TESTS_WIRE_BUILD_V1_H

#include "decode/event_v1.h"
#include "wire_build.h"

// "go 1.N trace", filled up with zeros; "gotrace" for 0.
void wire_v1_put_header(struct tp_buf *b, uint32_t minor);

// `ev` says type, arguments (all of them: dseq and dt, too), tail and, of a Stack, the
// padding of its length. A length is put where the runtime puts one. Counts are not held
// against tails, nor arguments against the version: events may be as wrong as wanted.
void wire_v1_put_event(struct tp_buf *b, uint32_t minor, const struct tp_v1_event *ev);

// The same with a length, whatever the runtime does; ev->pad_bytes pads it.
void wire_v1_put_sized(struct tp_buf *b, const struct tp_v1_event *ev);

// The same event in some other form that reads the same: numbers in more bytes than they
// need, a length where none is needed, frames included.
void wire_v1_put_odd(struct tp_buf *b, uint32_t minor, const struct tp_v1_event *ev,
                     uint64_t *state);

// An event by the numbers it has behind its code: WIRE_V1_PUT(b, 11, TP_V1_GoEnd, 5).
#define WIRE_V1_PUT(b, minor, code, ...)                                                   \
    wire_v1_put_args(b, minor, code, (const uint64_t[]){__VA_ARGS__},                      \
                     TP_ARRAY_LEN(((const uint64_t[]){__VA_ARGS__})))
void wire_v1_put_args(struct tp_buf *b, uint32_t minor, uint8_t type, const uint64_t *args,
                      size_t count);

void wire_v1_put_batch(struct tp_buf *b, uint32_t minor, uint64_t p, uint64_t ticks);
// A batch of P 0 at 100 ticks with what a trace begins with, and goroutine 1 that runs there.
void wire_v1_put_beginning(struct tp_buf *b, uint32_t minor);
// Stacks 1 to `count`, of a frame each.
void wire_v1_put_stacks(struct tp_buf *b, uint32_t minor, uint64_t count);
void wire_v1_put_frequency(struct tp_buf *b, uint32_t minor, uint64_t freq);
void wire_v1_put_timer_goroutine(struct tp_buf *b, uint32_t minor, uint64_t g);
void wire_v1_put_string(struct tp_buf *b, uint64_t id, const char *text);
void wire_v1_put_log(struct tp_buf *b, uint64_t dt, uint64_t task, uint64_t key_string,
                     uint64_t stack, const char *message);
// Frame i has the PC pc + i, and its number in all else that frames of `minor` have.
void wire_v1_put_stack(struct tp_buf *b, uint32_t minor, uint64_t id, unsigned frame_count,
                       uint64_t pc, unsigned pad_bytes);

// A sound event of `type` with random arguments; its tail is in `tail`.
#define WIRE_V1_TAIL_BYTES 400
void wire_v1_random_event(struct tp_v1_event *ev, unsigned char tail[WIRE_V1_TAIL_BYTES],
                          uint64_t *state, const struct tp_v1_table *table, uint8_t type);
// A type that `table` has.
uint8_t wire_v1_random_type(uint64_t *state, const struct tp_v1_table *table);

#endif
