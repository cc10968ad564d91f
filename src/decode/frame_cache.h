// Caches the text of stack frames. The stacks of a trace repeat few distinct frames: the
// cache holds nearly all of them, and copying a text takes half the time of printing four
// numbers.
//
// decode/frame_key.h maps a frame to its slot. A cache is plain memory; nothing has to be freed.
#ifndef TP_DECODE_FRAME_CACHE_H
#define TP_DECODE_FRAME_CACHE_H

#include "decode/frame_key.h"

// The longest text that is cached.
#define TP_FRAME_TEXT_MAX_BYTES 56

// A frame and its printed text.
struct tp_frame_text {
    struct tp_frame_key key;
    uint32_t text_bytes;
    unsigned char text[TP_FRAME_TEXT_MAX_BYTES];
};

// A cache of frames' texts. A zeroed cache is empty. One thread at a time uses a cache.
struct tp_frame_cache {
    struct tp_frame_text slots[1 << TP_FRAME_SLOT_BITS];
};

// Returns the frame encoded at `wire`, borrowed until the next put; NULL if it is not cached.
// TP_FRAME_WIRE_MAX_BYTES must be readable at `wire`.
TP_INLINE const struct tp_frame_text *tp_frame_cache_find(const struct tp_frame_cache *cache,
                                                          const unsigned char *wire)
{
    uint64_t w[2];
    memcpy(w, wire, sizeof w);
    const struct tp_frame_text *f = &cache->slots[tp_frame_slot(w[0])];
    return tp_frame_key_fits(&f->key, w) ? f : NULL;
}

// Caches a frame and evicts the frame in its slot; does nothing if the frame is too long. `wire` as
// for find.
TP_INLINE void tp_frame_cache_put(struct tp_frame_cache *cache, const unsigned char *wire,
                                  size_t wire_bytes, const unsigned char *text, size_t text_bytes)
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
