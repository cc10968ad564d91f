// The text of stack frames that were printed before. The frames of a trace are few,
// those of its stacks many: nearly all are found here, and copying their text takes
// half the time of printing four numbers.
//
// Slots are those of decode/frame_key.h. Plain memory, empty when zeroed.
#ifndef TP_SINK_TEXT_FRAME_CACHE_H
#define TP_SINK_TEXT_FRAME_CACHE_H

#include "decode/frame_key.h"

#define TP_FRAME_TEXT_MAX_BYTES 56

struct tp_frame_text {
    struct tp_frame_key key;
    uint32_t text_bytes;
    unsigned char text[TP_FRAME_TEXT_MAX_BYTES];
};

struct tp_frame_cache {
    struct tp_frame_text slots[1 << TP_FRAME_SLOT_BITS];
};

// The frame at `wire`, where TP_FRAME_WIRE_MAX_BYTES can be read; NULL if it is not
// there. Borrowed until the next put.
TP_INLINE const struct tp_frame_text *tp_frame_cache_find(const struct tp_frame_cache *cache,
                                                          const unsigned char *wire)
{
    uint64_t w[2];
    memcpy(w, wire, sizeof w);
    const struct tp_frame_text *f = &cache->slots[tp_frame_slot(w[0])];
    return tp_frame_key_fits(&f->key, w) ? f : NULL;
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
    tp_frame_key_set(&f->key, w, wire_bytes);
    memcpy(f->text, text, text_bytes);
    f->text_bytes = (uint32_t)text_bytes;
}

#endif
