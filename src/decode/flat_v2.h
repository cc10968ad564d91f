// Reads a v2 trace as Go's raw reader does: one event after the other, blind to batches and their
// sizes, so that a batch whose events do not fill its body continues in the next batch. The caller
// feeds the stream in pieces; the places of the cuts make no difference.
//
//   piece        piece              piece
//   |ev|ev|ev|ev.|...ev|ev|ev|ev|ev.|........|..ev|
//              └ carried ┘        └── carried ──┘
//
// An event that continues in the next piece is carried in memory, up to TP_FLAT_CARRY_BYTES. The
// reader skips a longer event without keeping it: it can still return Go's verdict on an input that
// ends inside the event, and fails with TP_E_TOO_LARGE only if the event proves to be whole.
//
// Used by one thread at a time. The cost is linear, however the input is divided.
#ifndef TP_DECODE_FLAT_V2_H
#define TP_DECODE_FLAT_V2_H

#include "base/err.h"
#include "base/span.h"
#include "decode/event_v2.h"

#define TP_FLAT_CARRY_BYTES TP_KIB(256)

// Called for every whole event, on the thread that feeds; `wire` holds the event's bytes as found.
// Both are valid during the call. A result other than 0 stops the reader; tp_flat_feed returns it.
typedef int (*tp_flat_fn)(void *ctx, const struct tp_wire_event *event, struct tp_span wire,
                          struct tp_error *err);

// Position within the carried event.
enum tp_flat_phase {
    TP_FLAT_BETWEEN, // no event is carried
    // The part of the carried event to which the next byte belongs.
    TP_FLAT_ARGS,
    TP_FLAT_FRAMES,
    TP_FLAT_LENGTH,  // of the data
    TP_FLAT_DATA,
    TP_FLAT_WHOLE,   // none: the event has ended
};

// A reader of one stream. It allocates the carry only, which tp_flat_fini frees.
struct tp_flat {
    const struct tp_arg_table *table;
    tp_flat_fn on_event;
    void *ctx;
    uint64_t offset; // of the next byte in the stream

    // The carried event.
    enum tp_flat_phase phase;
    uint8_t type;
    uint8_t number_bytes;  // bytes read of the number that is cut; 0: between numbers
    uint64_t number;       // value of that number so far, or the last whole one
    uint64_t left;         // numbers, or bytes of data, until the phase ends
    uint64_t event_offset; // of the event's first byte in the stream
    uint64_t event_bytes;  // bytes of the event so far, kept or not
    unsigned char *carry;  // TP_FLAT_CARRY_BYTES, allocated when first needed
};

// Initializes a reader. `offset` is the offset in the stream of the first piece, which begins with
// an event.
void tp_flat_init(struct tp_flat *f, const struct tp_arg_table *table, uint64_t offset,
                  tp_flat_fn on_event, void *ctx);
// Frees the carry; a zeroed reader is fine.
void tp_flat_fini(struct tp_flat *f);

// Reads the next piece. Fails with TP_E_EVENT (with Go's message and the event's
// offset), TP_E_TOO_LARGE, TP_E_MEMORY, or the result of `on_event`; after a
// failure `f` must not be fed again.
int tp_flat_feed(struct tp_flat *f, struct tp_span bytes, struct tp_error *err) TP_MUST_USE;

// Returns Go's verdict on a stream that ends here: 0, or TP_E_EVENT if it ends inside a number.
int tp_flat_end(const struct tp_flat *f, struct tp_error *err) TP_MUST_USE;

#endif
