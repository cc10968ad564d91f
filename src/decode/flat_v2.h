// Reads a v2 trace as Go's raw reader does: one event after the other, blind to
// batches and their sizes, so that a batch whose events do not fill its body
// runs on into the next. Fed with the stream in pieces; where they are cut makes
// no difference.
//
//   piece        piece              piece
//   |ev|ev|ev|ev.|...ev|ev|ev|ev|ev.|........|..ev|
//              └ carried ┘        └── carried ──┘
//
// An event that goes on in the next piece is carried, up to
// TP_FLAT_CARRY_BYTES. A longer one is passed over without being kept: what Go
// says of an input that ends inside it is still known, and only if it turns out
// to be whole the answer is TP_E_TOO_LARGE.
//
// Used by one thread at a time. Cost is linear for any cut of any input.
#ifndef TP_DECODE_FLAT_V2_H
#define TP_DECODE_FLAT_V2_H

#include "base/err.h"
#include "base/span.h"
#include "decode/event_v2.h"

#define TP_FLAT_CARRY_BYTES TP_KIB(256)

// Called for every whole event; `wire` are its bytes as found. Both are valid
// during the call. Anything but 0 stops the reading and is passed on.
typedef int (*tp_flat_fn)(void *ctx, const struct tp_wire_event *event, struct tp_span wire,
                          struct tp_error *err);

enum tp_flat_phase {
    TP_FLAT_BETWEEN, // no event is carried
    TP_FLAT_ARGS,
    TP_FLAT_FRAMES,
    TP_FLAT_LENGTH,  // of the data
    TP_FLAT_DATA,
    TP_FLAT_WHOLE,
};

struct tp_flat {
    const struct tp_arg_table *table;
    tp_flat_fn on_event;
    void *ctx;
    uint64_t offset; // of the next byte in the stream

    // The carried event.
    enum tp_flat_phase phase;
    uint8_t type;
    uint8_t number_bytes;  // of the number it is cut in; 0: between numbers
    uint64_t number;       // that number so far, or the last whole one
    uint64_t left;         // numbers, or bytes of data, until the phase ends
    uint64_t event_offset; // where it begins
    uint64_t event_bytes;  // so far, kept or not
    unsigned char *carry;  // TP_FLAT_CARRY_BYTES, allocated when first needed
};

// `offset` is where the first piece begins in the stream, at an event.
void tp_flat_init(struct tp_flat *f, const struct tp_arg_table *table, uint64_t offset,
                  tp_flat_fn on_event, void *ctx);
void tp_flat_fini(struct tp_flat *f); // zeroed is fine

// Reads the next piece. TP_E_EVENT with Go's words and the event's offset,
// TP_E_TOO_LARGE, TP_E_MEMORY, or what `on_event` answered; `f` must not be fed
// again then.
int tp_flat_feed(struct tp_flat *f, struct tp_span bytes, struct tp_error *err) TP_MUST_USE;

// Go's verdict on a stream that ends here: 0 unless it ends inside a number.
int tp_flat_end(const struct tp_flat *f, struct tp_error *err) TP_MUST_USE;

#endif
