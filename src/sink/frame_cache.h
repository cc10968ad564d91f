// The text of stack frames that were printed before. The frames of a trace are few,
// those of its stacks many: nearly all are found here, and copying their text takes
// half the time of printing four numbers.
//
// A slot is found by the first bytes of a frame's wire form, its program counter,
// and compared in full, so that what is found never depends on what was put. Plain
// memory, empty when zeroed.
#ifndef TP_SINK_FRAME_CACHE_H
#define TP_SINK_FRAME_CACHE_H

#include <string.h>

#include "base/attr.h"

#define TP_FRAME_WIRE_MAX_BYTES 16
#define TP_FRAME_TEXT_MAX_BYTES 56
#define TP_FRAME_CACHE_BITS 9

struct tp_frame_text {
    uint64_t wire[2], mask[2]; // little-endian; the mask covers wire_bytes
    uint32_t wire_bytes;       // 0: an empty slot
    uint32_t text_bytes;
    unsigned char text[TP_FRAME_TEXT_MAX_BYTES];
};

struct tp_frame_cache {
    struct tp_frame_text slots[1 << TP_FRAME_CACHE_BITS];
};

// Five bytes tell program counters apart; what comes behind short ones does no harm
// but to put a frame into more than one slot.
TP_INLINE size_t tp_frame_slot(uint64_t first_eight_bytes)
{
    return (first_eight_bytes << 24) * 0x9e3779b97f4a7c15 >> (64 - TP_FRAME_CACHE_BITS);
}

// The frame at `wire`, where TP_FRAME_WIRE_MAX_BYTES can be read; NULL if it is not
// there. Borrowed until the next put.
TP_INLINE const struct tp_frame_text *tp_frame_cache_find(const struct tp_frame_cache *cache,
                                                          const unsigned char *wire)
{
    uint64_t w[2];
    memcpy(w, wire, sizeof w);
    const struct tp_frame_text *f = &cache->slots[tp_frame_slot(w[0])];
    uint64_t difference = ((w[0] ^ f->wire[0]) & f->mask[0]) | ((w[1] ^ f->wire[1]) & f->mask[1]);
    return difference == 0 && f->wire_bytes != 0 ? f : NULL;
}

// Keeps a frame in the place of another, unless it is too long. `wire` as above.
TP_INLINE void tp_frame_cache_put(struct tp_frame_cache *cache, const unsigned char *wire,
                                  size_t wire_bytes, const unsigned char *text,
                                  size_t text_bytes)
{
    uint64_t w[2];
    memcpy(w, wire, sizeof w);
    struct tp_frame_text *f = &cache->slots[tp_frame_slot(w[0])];
    if (wire_bytes > TP_FRAME_WIRE_MAX_BYTES || text_bytes > TP_FRAME_TEXT_MAX_BYTES)
        return;
    memset(f->mask, 0, sizeof f->mask);
    memset(f->mask, 0xff, wire_bytes);
    memcpy(f->wire, w, sizeof f->wire);
    memcpy(f->text, text, text_bytes);
    f->wire_bytes = (uint32_t)wire_bytes;
    f->text_bytes = (uint32_t)text_bytes;
}

#endif
