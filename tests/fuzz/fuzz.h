// What the targets share. Each is linked to libFuzzer, or to replay.c, which feeds
// it files.
#ifndef TP_FUZZ_FUZZ_H
#define TP_FUZZ_FUZZ_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/attr.h"

#define CHECK(condition)                                                                   \
    do {                                                                                   \
        if (!(condition)) {                                                                \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);                \
            abort();                                                                       \
        }                                                                                  \
    } while (0)

// For functions that answer with a complaint, or NULL.
#define CHECK_NONE(complaint)                                                              \
    do {                                                                                   \
        const char *text_ = (complaint);                                                   \
        if (text_ != NULL) {                                                               \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, text_);                     \
            abort();                                                                       \
        }                                                                                  \
    } while (0)

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t len_bytes);

// Pieces of `min_bytes` + 1 to `min_bytes` + `spread`, drawn by a generator of
// its own.
struct cutter {
    uint64_t state;
    size_t spread;
    size_t min_bytes;
};

TP_INLINE size_t next_piece(struct cutter *c)
{
    c->state ^= c->state << 13;
    c->state ^= c->state >> 7;
    c->state ^= c->state << 17;
    return c->min_bytes + 1 + (size_t)(c->state % c->spread);
}

// A seed for cutters out of a byte of the input.
TP_INLINE uint64_t seed_of(uint8_t byte) { return 0x9e3779b97f4a7c15u * (byte + 1u); }

#endif
