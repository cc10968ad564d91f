// What of an input can be lost or out of order, each with its sentence. Loss is
// not an error: the file goes on behind it, and the report lists it.
#ifndef TRACEPIPE_LOSS_H
#define TRACEPIPE_LOSS_H

#include <stdint.h>

#include "tracepipe/api.h"

#ifdef __cplusplus
extern "C" {
#endif

// X(name, key in JSON and CSV, sentence). The scan finds all of these; they make
// a file "damaged", the same for every sink.
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

TP_API const char *tp_loss_key(enum tp_loss_kind kind);
TP_API const char *tp_loss_sentence(enum tp_loss_kind kind);

// One place of damage: `len_bytes` at `offset` were passed over (0: the place is
// only out of order). Offsets count in the wire form of the trace (of compressed
// and text input: after decoding). `generation` is the last one before it, 0 if
// none.
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
