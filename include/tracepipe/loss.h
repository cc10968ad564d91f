// Lists the kinds of loss and disorder in an input. Loss is not an error: reading goes on after the
// damaged bytes, and the report lists the places.
#ifndef TRACEPIPE_LOSS_H
#define TRACEPIPE_LOSS_H

#include <stdint.h>

#include "tracepipe/api.h"

#ifdef __cplusplus
extern "C" {
#endif

// All kinds. X(name, key in JSON and CSV, sentence). Only the scan detects them, so each makes the
// file "damaged" for all sinks alike.
#define TP_LOSS_MAP(X)                                                                  \
    X(NONE, "none", "nothing lost")                                                     \
    X(NOT_A_BATCH, "not_a_batch", "expected a batch, found something else")             \
    X(BATCH_HEADER, "batch_header", "batch header cannot be read")                      \
    X(BATCH_SIZE, "batch_size", "batch larger than 65536 bytes")                        \
    X(BATCH_CUT, "batch_cut", "input ends inside a batch")                              \
    X(GENERATION, "generation", "generations out of order")                             \
    X(END_MARK, "end_mark", "end of the generation is missing")                         \
    X(STRAY_MARK, "stray_mark", "end of a generation that has no batches")              \
    X(EVENT, "event", "event cannot be read")                                           \
    X(EVENT_CUT, "event_cut", "input ends inside an event")                             \
    X(INPUT, "input", "input ends early")

enum tp_loss_kind {
#define TP_X(name, key, sentence) TP_LOSS_##name,
    TP_LOSS_MAP(TP_X)
#undef TP_X
    TP_LOSS_KINDS
};

// Returns the key of a kind below TP_LOSS_KINDS, a constant. Any thread.
TP_API const char *tp_loss_key(enum tp_loss_kind kind);
// Returns the sentence of a kind below TP_LOSS_KINDS, a constant. Any thread.
TP_API const char *tp_loss_sentence(enum tp_loss_kind kind);

// One place of damage, a plain value. The scan passed over `len_bytes` bytes at `offset`; if these
// are 0 bytes, nothing is lost, but something is out of order. `offset` counts bytes of the wire
// form, after decompression and conversion from the text form. `generation` is the last generation
// before the place; 0: there is none.
struct tp_damage {
    enum tp_loss_kind kind;
    uint64_t offset;
    uint64_t len_bytes;
    uint64_t generation;
};

#ifdef __cplusplus
}
#endif
#endif
